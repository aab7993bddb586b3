#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/command_in_folder.h"
#include "tests/support/well_formed.h"

namespace dealer::analyse_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::read_bytes;
using test::Words;

class AnalyseCommand : public test::CommandInFolder {
 protected:
  std::string log(const std::string& game, const Words& agents, const std::string& deals = "10") const {
    const ProgramResult result =
        run({"match", "--game", game, "--deals", deals, "--seed", "3", "--log", at("log.phhs")}, agents);
    EXPECT_EQ(result.status, 0) << result.err;
    return at("log.phhs");
  }
  static ProgramResult analyse(const std::string& file, const Words& more) { return run({"analyse", file}, more); }
};

TEST_F(AnalyseCommand, KeepsTheContract) {
  const std::string file = log("leduc", {"rule", "default"});
  const ProgramResult result = analyse(file, {"--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["agent"], "default");
  EXPECT_EQ(json["methods"], nlohmann::json({"exact"}));
  ASSERT_GT(json["decisions"].size(), 40U);
  for (const auto& decision : json["decisions"])
    for (const char* key : {"hand", "seat", "chosen", "best", "loss"}) EXPECT_TRUE(decision.contains(key));
  const std::string text = read_bytes(file);
  const auto& first = json["decisions"][0];
  EXPECT_EQ(first["hand"], "0-0-0");
  // The line of the file that it was decided in.
  std::size_t from = 0;
  for (int line = 1; line < first["line"].get<int>(); ++line) from = text.find('\n', from) + 1;
  EXPECT_TRUE(contains(text.substr(from, text.find('\n', from) - from), first["chosen"].get<std::string>()));
}

TEST_F(AnalyseCommand, PrintsLossesFiguresAndAReport) {
  const std::string file = log("leduc", {"rule", "default"}, "40");
  const ProgramResult result = analyse(file, {"--player", "rule", "--worst", "4", "--html", at("a.html")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "better: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "loss a hand")) << result.out;
  EXPECT_FALSE(contains(result.out, "default  ")) << result.out;
  EXPECT_TRUE(contains(result.out, "report  " + at("a.html") + "\n"));
  const std::string page = read_bytes(at("a.html"));
  EXPECT_EQ(test::xml_fault(page), "");
  EXPECT_TRUE(contains(page, "Analysis of leduc"));
}

TEST_F(AnalyseCommand, TakesEveryKindOfGame) {
  for (const char* game : {"ofc", "draw", "holdem", "holdem[limit=no_limit]", "stud", "kuhn", "mini_draw"}) {
    const ProgramResult result =
        analyse(log(game, {"random", "rule"}, "1"),
                {"--json", "--quiet", "--agent", std::string(game) == "ofc" ? "default" : "random"});
    ASSERT_EQ(result.status, 0) << game << result.err;
    const auto json = nlohmann::json::parse(result.out);
    ASSERT_FALSE(json["decisions"].empty()) << game;
    int judged = 0;
    for (const auto& decision : json["decisions"]) judged += decision["loss"].is_null() ? 0 : 1;
    EXPECT_GT(judged, 0) << game;
  }
}

TEST_F(AnalyseCommand, ReadsStandardInput) {
  const std::string file = log("kuhn", {"random", "rule"});
  const ProgramResult of_file = analyse(file, {"--json", "--quiet"});
  ASSERT_EQ(of_file.status, 0) << of_file.err;
  const ProgramResult piped = test::run_dealer("analyse - --json --quiet", read_bytes(file));
  EXPECT_EQ(piped.out, of_file.out);
}

TEST_F(AnalyseCommand, ListsEveryDecisionOrNone) {
  const std::string file = log("leduc", {"rule", "random"});
  const auto json = nlohmann::json::parse(analyse(file, {"--json", "--quiet"}).out);
  const std::string all = analyse(file, {"--all", "--quiet"}).out;
  EXPECT_GT(std::count(all.begin(), all.end(), '\n'), static_cast<std::ptrdiff_t>(json["decisions"].size()));
  ASSERT_EQ(analyse(file, {"--worst", "0", "--html", at("none.html")}).status, 0);
  EXPECT_FALSE(contains(read_bytes(at("none.html")), "None: every choice"));
  EXPECT_TRUE(nlohmann::json::parse(analyse(file, {"--json", "--quiet", "--worst", "0"}).out)["decisions"].empty());
}

TEST_F(AnalyseCommand, TakesARangeOfHands) {
  const std::string file = log("kuhn", {"random", "rule"});
  const auto hands = [&](const std::string& range) {
    const auto json = nlohmann::json::parse(analyse(file, {"--json", "--quiet", "--hands", range}).out);
    return Words{std::to_string(json["hands"].get<int>()), json["decisions"][0]["hand"].get<std::string>()};
  };
  EXPECT_EQ(hands("3"), (Words{"3", "0-0-0"}));
  EXPECT_EQ(hands("3-6"), (Words{"4", "1-0-0"}));
  EXPECT_EQ(hands("20"), (Words{"20", "0-0-0"}));
}

TEST_F(AnalyseCommand, RefusesInOneLine) {
  const std::string file = log("kuhn", {"random", "rule"});
  const auto refusal = [](const ProgramResult& result, int status) {
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_TRUE(contains(refusal(analyse(at("none.phhs"), {}), 1), "none.phhs"));
  test::write_bytes(at("empty.phhs"), "");
  EXPECT_TRUE(contains(refusal(analyse(at("empty.phhs"), {}), 1), "there is no hand in it"));
  EXPECT_EQ(refusal(analyse(file, {"--hands", "0"}), 2),
            "dealer: --hands: '0' is not allowed; expected a number from 1, as 200, or a range, as 11-20\n");
  EXPECT_TRUE(contains(refusal(analyse(file, {"--hands", "9-5"}), 2), "'9-5' is not allowed"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--hands", "30-40"}), 2), "there is no hand 30-40"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--seat", "2"}), 2), "there is no seat 2; seats are 0 to 1"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--player", "rull"}), 2), "did you mean 'rule'?"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--agent", "defualt"}), 2), "did you mean 'default'?"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--simulations", "5", "--time", "1"}), 2), "exclude each other"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--time", "1"}), 2), "--time goes with search"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--all", "--worst", "3"}), 2), "--all and --worst exclude each other"));
  EXPECT_TRUE(contains(refusal(analyse(file, {"--sampled", "--agent", "search"}), 2), "--sampled goes with playouts"));
  EXPECT_EQ(
      refusal(analyse(log("ofc", {"random", "random"}, "1"), {"--agent", "exec:cat"}), 2),
      "dealer: agent 'exec:cat' does not say what choices are worth in 'ofc'; expected a trained one, as default, or "
      "search, as search[simulations=1000]\n");
  // A wrong line is named.
  std::string text = read_bytes(log("kuhn", {"random", "rule"}));
  const std::size_t at_finish = text.rfind("finishing_stacks = [");
  text.insert(at_finish + 20, "1");
  test::write_bytes(at("wrong.phhs"), text);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at_finish), '\n');
  const std::string wrong = refusal(analyse(at("wrong.phhs"), {}), 1);
  EXPECT_TRUE(contains(wrong, "wrong.phhs:" + std::to_string(line) + ": hand ")) << wrong;
  EXPECT_TRUE(contains(wrong, "1 of 20 hands are wrong")) << wrong;
  // Nothing is written where nothing was judged.
  EXPECT_EQ(analyse(at("wrong.phhs"), {"--html", at("none.html")}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(at("none.html")));
}

}  // namespace
}  // namespace dealer::analyse_test
