#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/well_formed.h"

namespace dealer {
namespace {

using test::contains;
using test::ProgramResult;
using test::read_bytes;
using test::run_here;
using Words = std::vector<std::string>;

class StudyCommand : public testing::Test {
 protected:
  std::string at(std::string_view name) const { return (folder_ / name).string(); }
  ProgramResult study(const std::string& out, const Words& more) const {
    Words words = {"study", "seven_hand", "--out", at(out)};
    words.insert(words.end(), more.begin(), more.end());
    return run_here(words);
  }
  test::TempFolder folder_;
};

TEST_F(StudyCommand, ListsTheStudies) {
  const ProgramResult list = run_here({"study"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_TRUE(contains('\n' + list.out, "\nseven_hand     7-Hand Poker: ")) << list.out;
  EXPECT_TRUE(contains('\n' + list.out, "\ncourt          Court Poker: ")) << list.out;
  const auto json = nlohmann::json::parse(run_here({"study", "--json"}).out);
  const auto seven =
      std::find_if(json.begin(), json.end(), [](const auto& row) { return row["name"] == "seven_hand"; });
  ASSERT_NE(seven, json.end());
  EXPECT_EQ((*seven)["game"], "seven_hand");
}

TEST_F(StudyCommand, WritesResultsAndReport) {
  const ProgramResult result = study("a", {"agent=random", "deals=30", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(read_bytes(at("a/results.json"))));
  EXPECT_EQ(test::xml_fault(read_bytes(at("a/report.html"))), "");
  const ProgramResult text = study("a", {"agent=random", "deals=30"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("seven_hand: random against itself, 30 deals, 60 hands\n\n- ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nreport  " + at("a/report.html") + "\n"));
}

TEST_F(StudyCommand, TellsOfEveryGame) {
  const ProgramResult text = run_here({"study", "court", "--out", at("c"), "agent=random", "deals=20", "samples=10",
                                       "games=['court_extra[players=2]', court_color]", "--quiet"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(
      text.out.starts_with("court_extra[players=2]: random against itself, 20 deals, 20 hands\n"
                           "court_color: random against itself, 20 deals, 20 hands\n\n- "))
      << text.out;
  EXPECT_EQ(test::xml_fault(read_bytes(at("c/report.html"))), "");
}

TEST_F(StudyCommand, RefusesMisuseInOneLine) {
  const auto refusal = [](const Words& words) {
    const ProgramResult result = run_here(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refusal({"study", "seven_hand"}),
            "dealer: 'dealer study': --out is missing; expected the folder of the results\n");
  EXPECT_EQ(refusal({"study", "--out", at("x")}),
            "dealer: 'dealer study': --out is given without a study; 'dealer study' lists them\n");
  EXPECT_EQ(refusal({"study", "deals=5", "--out", at("x")}),
            "dealer: 'deals=5' is no study; expected the name of one before its overrides\n");
  EXPECT_EQ(refusal({"study", "seven_hand", "ofc", "--out", at("x")}),
            "dealer: 'ofc' is no override; expected key=value after the study\n");
  EXPECT_EQ(refusal({"study", "seven_hand", "deals=5", "deals=6", "--out", at("x")}),
            "dealer: override 'deals=6': 'deals' is given twice: there is override 'deals=5' already\n");
  EXPECT_TRUE(contains(refusal({"study", "seven", "--out", at("x")}), "there is no study 'seven'"));
  EXPECT_TRUE(contains(refusal({"study", "seven_hand", "--out", ""}), "expected the path of a folder"));
  EXPECT_FALSE(std::filesystem::exists(at("x")));
}

// Plays at random; one of its decisions sends the program a signal.
class Signalling final : public RandomAgent {
 public:
  explicit Signalling(int signal) : signal_(signal) {}
  Decision act(const Observation& observation) override {
    static int decisions = 0;
    if (++decisions == 4000) std::raise(signal_);
    return RandomAgent::act(observation);
  }

 private:
  int signal_;
};

TEST_F(StudyCommand, InterruptedItGoesOn) {
  register_agent_kind("signalling", {.make =
                                         [](const Spec& spec, const GamePtr&) {
                                           agent_options(spec).finish();
                                           return make_factory(to_string(spec),
                                                               [] { return std::make_unique<Signalling>(SIGINT); });
                                         },
                                     .plays = {},
                                     .what = "sends a signal",
                                     .recognises = {}});
  const Words words = {"agent=signalling", "deals=200", "threads=1", "--quiet"};
  const ProgramResult stopped = study("a", words);
  EXPECT_EQ(stopped.status, 130);
  EXPECT_EQ(stopped.out, "");
  std::smatch match;
  ASSERT_TRUE(std::regex_match(stopped.err, match,
                               std::regex("dealer: stopped after ([0-9]+) of 200 deals; the same command goes on\n")))
      << stopped.err;
  EXPECT_GT(std::stoi(match[1]), 10);
  EXPECT_FALSE(std::filesystem::exists(at("a/results.json")));
  EXPECT_EQ(study("a", words).status, 0);
  EXPECT_EQ(study("b", words).status, 0);
  EXPECT_EQ(read_bytes(at("a/results.json")), read_bytes(at("b/results.json")));
}

// docs/studies.md names every field of results.json, and no other.
TEST_F(StudyCommand, ItsPageHasEveryField) {
  std::set<std::string> fields, told;
  const auto collect = [&](const auto& self, const nlohmann::json& json) -> void {
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) fields.insert(name);
      if (value.is_structured()) self(self, value);
    }
  };
  const std::vector<Words> studies = {
      {"seven_hand", "agent=random"},
      {"draw", "agents=[random]"},
      {"washizu", "agents=[random]"},
      {"court", "agent=random", "samples=10", "games=['court_extra[players=2]', court_color]"}};
  for (const Words& each : studies) {
    Words words = {"study"};
    words.insert(words.end(), each.begin(), each.end());
    for (const std::string& more : {std::string("--out"), at(each[0]), std::string("deals=4"), std::string("--quiet")})
      words.push_back(more);
    const ProgramResult result = run_here(words);
    ASSERT_EQ(result.status, 0) << result.err;
    collect(collect, nlohmann::json::parse(read_bytes(at(each[0] + "/results.json"))));
  }
  const std::string page = read_bytes(std::filesystem::path(DEALER_SOURCE_DIR) / "docs/studies.md");
  const std::regex row("\n\\| (`[^|]*)\\|"), name("`([a-z_0-9]+)`");
  for (auto line = std::sregex_iterator(page.begin(), page.end(), row); line != std::sregex_iterator(); ++line) {
    const std::string first = (*line)[1];
    for (auto field = std::sregex_iterator(first.begin(), first.end(), name); field != std::sregex_iterator(); ++field)
      told.insert((*field)[1]);
  }
  for (const std::string& field : fields) EXPECT_TRUE(told.contains(field)) << field;
  for (const std::string& field : told) EXPECT_TRUE(fields.contains(field)) << field;
}

}  // namespace
}  // namespace dealer
