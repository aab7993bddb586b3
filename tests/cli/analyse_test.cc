#include <filesystem>

#include "tests/cli/run_dealer.h"
#include "tests/support/well_formed.h"

namespace dealer::analyse_test {
namespace {

using test::contains;
using test::joined;
using test::ProgramResult;
using test::run_here;
using test::Words;

class AnalyseCommand : public test::CommandInFolder {
 protected:
  std::string log(const std::string& game, const Words& agents, const std::string& deals = "10") const {
    const ProgramResult result =
        run_here(joined({"match", "--game", game, "--deals", deals, "--seed", "3", "--log", at("log.phhs")}, agents));
    EXPECT_EQ(result.status, 0) << result.err;
    return at("log.phhs");
  }
  static ProgramResult analyse(const std::string& file, const Words& more) {
    return run_here(joined({"analyse", file}, more));
  }
  static nlohmann::json analysis(const std::string& file, const Words& more = {}) {
    return test::json_of(joined({"analyse", file, "--quiet"}, more));
  }
};

TEST_F(AnalyseCommand, KeepsTheContract) {
  const std::string file = log("leduc", {"rule", "default"});
  const auto json = analysis(file);
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["agent"], "default");
  EXPECT_EQ(json["methods"], nlohmann::json({"exact"}));
  ASSERT_GT(json["decisions"].size(), 40U);
  for (const auto& decision : json["decisions"])
    for (const char* key : {"hand", "seat", "chosen", "best", "loss"}) EXPECT_TRUE(decision.contains(key));
  const auto& first = json["decisions"][0];
  EXPECT_EQ(first["hand"], "0-0-0");
  // The line of the file that it was decided in.
  const std::string line = test::lines_of(read("log.phhs")).at(first["line"].get<std::size_t>() - 1);
  EXPECT_TRUE(contains(line, first["chosen"].get<std::string>())) << line;
}

TEST_F(AnalyseCommand, PrintsLossesFiguresAndAReport) {
  const std::string file = log("leduc", {"rule", "default"}, "40");
  const ProgramResult result = analyse(file, {"--player", "rule", "--worst", "4", "--html", at("a.html")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "better: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "loss a hand")) << result.out;
  EXPECT_FALSE(contains(result.out, "default  ")) << result.out;
  EXPECT_TRUE(contains(result.out, "report  " + at("a.html") + "\n"));
  const std::string page = read("a.html");
  EXPECT_EQ(test::xml_fault(page), "");
  EXPECT_TRUE(contains(page, "Analysis of leduc"));
}

TEST_F(AnalyseCommand, TakesEveryKindOfGame) {
  for (const char* game : {"ofc", "draw", "holdem", "holdem[limit=no_limit]", "stud", "kuhn", "mini_draw"}) {
    const auto json =
        analysis(log(game, {"random", "rule"}, "1"), {"--agent", std::string(game) == "ofc" ? "default" : "random"});
    ASSERT_FALSE(json["decisions"].empty()) << game;
    int judged = 0;
    for (const auto& decision : json["decisions"]) judged += decision["loss"].is_null() ? 0 : 1;
    EXPECT_GT(judged, 0) << game;
  }
}

TEST_F(AnalyseCommand, ReadsStandardInput) {
  const std::string file = log("kuhn", {"random", "rule"});
  const ProgramResult piped = test::run_dealer("analyse - --json --quiet", read("log.phhs"));
  EXPECT_EQ(nlohmann::json::parse(piped.out), analysis(file));
}

TEST_F(AnalyseCommand, ListsEveryDecisionOrNone) {
  const std::string file = log("leduc", {"rule", "random"});
  const auto json = analysis(file);
  const std::string all = analyse(file, {"--all", "--quiet"}).out;
  EXPECT_GT(std::count(all.begin(), all.end(), '\n'), static_cast<std::ptrdiff_t>(json["decisions"].size()));
  ASSERT_EQ(analyse(file, {"--worst", "0", "--html", at("none.html")}).status, 0);
  EXPECT_FALSE(contains(read("none.html"), "None: every choice"));
  EXPECT_TRUE(analysis(file, {"--worst", "0"})["decisions"].empty());
}

TEST_F(AnalyseCommand, TakesARangeOfHands) {
  const std::string file = log("kuhn", {"random", "rule"});
  const auto hands = [&](const std::string& range) {
    const auto json = analysis(file, {"--hands", range});
    return Words{std::to_string(json["hands"].get<int>()), json["decisions"][0]["hand"].get<std::string>()};
  };
  EXPECT_EQ(hands("3"), (Words{"3", "0-0-0"}));
  EXPECT_EQ(hands("3-6"), (Words{"4", "1-0-0"}));
  EXPECT_EQ(hands("20"), (Words{"20", "0-0-0"}));
}

TEST_F(AnalyseCommand, RefusesMisuse) {
  const std::string file = log("kuhn", {"random", "rule"});
  write("empty.phhs", "");
  test::expect_refused({"analyse"},
                       {{{at("none.phhs")}, "none.phhs", 1}, {{at("empty.phhs")}, "there is no hand in it", 1}});
  test::expect_refused(
      {"analyse", file},
      {{{"--hands", "0"}, "'0' is not allowed; expected a number from 1, as 200, or a range, as 11-20"},
       {{"--hands", "9-5"}, "'9-5' is not allowed"},
       {{"--hands", "30-40"}, "there is no hand 30-40"},
       {{"--seat", "2"}, "there is no seat 2; seats are 0 to 1"},
       {{"--player", "rull"}, "did you mean 'rule'?"},
       {{"--agent", "defualt"}, "did you mean 'default'?"},
       {{"--simulations", "5", "--time", "1"}, "exclude each other"},
       {{"--time", "1"}, "--time goes with search"},
       {{"--all", "--worst", "3"}, "--all and --worst exclude each other"},
       {{"--sampled", "--agent", "search"}, "--sampled goes with playouts"}});
  test::expect_refused({"analyse", log("ofc", {"random", "random"}, "1")},
                       {{{"--agent", "exec:cat"}, "agent 'exec:cat' does not say what choices are worth in 'ofc'"}});
}

TEST_F(AnalyseCommand, AWrongLineIsNamed) {
  log("kuhn", {"random", "rule"});
  std::string text = read("log.phhs");
  const std::size_t at_finish = text.rfind("finishing_stacks = [");
  text.insert(at_finish + 20, "1");
  write("wrong.phhs", text);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at_finish), '\n');
  const std::string wrong = test::refusal({"analyse", at("wrong.phhs")}, 1);
  EXPECT_TRUE(contains(wrong, "wrong.phhs:" + std::to_string(line) + ": hand ")) << wrong;
  EXPECT_TRUE(contains(wrong, "1 of 20 hands are wrong")) << wrong;
  // Nothing is written where nothing was judged.
  EXPECT_EQ(analyse(at("wrong.phhs"), {"--html", at("none.html")}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(at("none.html")));
}

}  // namespace
}  // namespace dealer::analyse_test
