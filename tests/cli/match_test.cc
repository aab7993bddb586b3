#include <csignal>
#include <stdexcept>

#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"

namespace dealer::cli_match_test {
namespace {

using test::contains;
using test::joined;
using test::json_of;
using test::ProgramResult;
using test::run_here;
using test::timeless_json_of;
using test::Words;

TEST(Match, ReportsTheContractsFields) {
  const auto json = json_of({"match", "rule", "random", "--game", "ofc", "--hands", "20", "--seed", "3"});
  EXPECT_EQ(json["game"], "ofc");
  EXPECT_EQ(json["agents"], nlohmann::json({"rule", "random"}));
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["unit"], "points/hand");
  ASSERT_EQ(json["mean"].size(), 2U);
  ASSERT_EQ(json["ci95"].size(), 2U);
  EXPECT_DOUBLE_EQ(json["mean"][0], -json["mean"][1].get<double>());
  EXPECT_GT(json["mean"][0], 0);
  for (const auto& stats : json["stats"])
    for (const char* name : {"foul_rate", "fantasyland_rate", "royalties"}) EXPECT_TRUE(stats.contains(name)) << stats;
  EXPECT_GT(json["seconds"], 0);
}

TEST(Match, APolicyAgainstItselfIsExactlyEven) {
  EXPECT_EQ(json_of({"match", "random", "random", "--hands", "50", "--seed", "1"})["mean"], nlohmann::json({0.0, 0.0}));
}

TEST(Match, SameSeedSameResultWhateverTheThreads) {
  const auto play = [](const Words& more) {
    return timeless_json_of(joined({"match", "rule", "random", "--hands", "20"}, more));
  };
  const auto one = play({"--seed", "5", "--threads", "1"});
  EXPECT_EQ(one, play({"--seed", "5", "--threads", "3"}));
  EXPECT_NE(one["mean"], play({"--seed", "6", "--threads", "1"})["mean"]);
  EXPECT_NE(one, play({"--seed", "5", "--threads", "1", "--no-duplicate"}));
}

TEST(Match, ShowsATable) {
  const ProgramResult result = run_here({"match", "rule", "random", "--hands", "5"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* part : {"rule", "random", "95%", "foul_rate", "royalties"})
    EXPECT_TRUE(contains(result.out, part)) << result.out;
}

TEST(Match, ThreeAgentsPlayForThree) {
  const auto json = json_of({"match", "random", "random", "rule", "--hands", "5"});
  EXPECT_EQ(json["game"], "ofc[players=3]");
  EXPECT_EQ(json["mean"].size(), 3U);
  test::expect_refused(
      {"match", "random", "random", "rule"},
      {{{"--game", "ofc[players=2]"}, "2"}, {{"random"}, "4 agents given; 'ofc' cannot be played by so many"}});
}

TEST(Match, DealsAreCalledSo) {
  const Words match = {"match", "random", "random", "--game", "kuhn", "--seed", "5"};
  const auto deals = timeless_json_of(joined(match, {"--deals", "12"}));
  EXPECT_EQ(deals, timeless_json_of(joined(match, {"--hands", "12"})));
  EXPECT_EQ(deals["deals"], 12);
  EXPECT_EQ(deals["hands"], 12);
  EXPECT_EQ(deals["interrupted"], false);
  test::refusal(joined(match, {"--deals", "3", "--hands", "3"}));
}

// A match against an agent that plays at random and, at one decision of a hundred, fails or sends the program a signal.
Words troublesome(int signal, const Words& more = {}) {
  test::register_random_agent("troublesome", [signal, decisions = 0]() mutable {
    if (++decisions % 100 != 0) return;
    if (signal == 0) throw std::runtime_error("a message\nof two lines\x1b");
    std::raise(signal);
  });
  return joined({"match", "random", "troublesome", "--game", "kuhn", "--deals", "300", "--threads", "1"}, more);
}

TEST(Match, CountsTheFailuresOfAnAgentAndGoesOn) {
  const auto json = json_of(troublesome(0));
  EXPECT_EQ(json["deals"], 300);
  EXPECT_EQ(json["failures"][0]["error"], 0);
  EXPECT_GE(json["failures"][1]["error"], 6);
  EXPECT_LE(json["failures"][1]["error"], 12);
  EXPECT_EQ(json["failures"][1]["illegal"], 0);
  EXPECT_EQ(json["failures"][1]["late"], 0);
  const std::string first = json["failures"][1]["first"]["error"];
  EXPECT_TRUE(contains(first, " of deal ") && contains(first, ": a message\nof two lines")) << first;

  const ProgramResult text = run_here(troublesome(0));
  EXPECT_EQ(text.status, 0);
  const std::string count = std::to_string(json["failures"][1]["error"].get<int>());
  EXPECT_TRUE(
      contains(text.out, "hands lost (error)                  0" + std::string(13 - count.size(), ' ') + count + '\n'))
      << text.out;
  EXPECT_TRUE(contains(text.out, "\ntroublesome, first error: seat ")) << text.out;
  EXPECT_TRUE(contains(text.out, ": a message\\nof two lines\\x1b\n")) << text.out;
  EXPECT_FALSE(contains(run_here({"match", "random", "random", "--game", "kuhn"}).out, "hands lost"));
}

TEST(Match, AStrictOneStopsAtTheFirstFailure) {
  const std::string error = test::refusal(troublesome(0, {"--strict"}), 1);
  EXPECT_TRUE(error.starts_with("dealer: agent 'troublesome' in seat ")) << error;
  EXPECT_TRUE(error.ends_with(": a message\\nof two lines\\x1b\n")) << error;
}

TEST(Match, InterruptedItPrintsTheResultSoFar) {
  const ProgramResult result = run_here(troublesome(SIGINT, {"--json"}));
  EXPECT_EQ(result.status, 130);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["interrupted"], true);
  const int deals = json["deals"];
  EXPECT_GT(deals, 20);
  EXPECT_LT(deals, 60);
  EXPECT_EQ(json["hands_played"], 2 * deals);
  EXPECT_EQ(result.err,
            "dealer: interrupted after " + std::to_string(deals) + " of 300 deals; the result is that of these\n");
  // The match of so many deals has the same result.
  const auto whole = json_of({"match", "random", "random", "--game", "kuhn", "--deals", std::to_string(deals)});
  EXPECT_EQ(json["mean"], whole["mean"]);
  EXPECT_EQ(json["stats"], whole["stats"]);

  const ProgramResult text = run_here(troublesome(SIGTERM));
  EXPECT_EQ(text.status, 143);
  EXPECT_TRUE(text.out.starts_with("kuhn: " + std::to_string(deals) + " deals in every seating")) << text.out;
  // Nothing was interrupted after the last deal.
  EXPECT_EQ(run_here({"match", "random", "random", "--game", "kuhn", "--deals", "3"}).status, 0);
}

TEST(Match, RefusesMisuse) {
  std::vector<test::Refused> cases = {
      {{"--move-time", "-1"}, "--move-time: '-1' is not allowed; expected a number from 0 (no limit) to 3600;"},
      {{"--move-time", "nan"}, "'nan' is not allowed"},
      {{"--num-envs", "5000"}, "expected an integer from 0 to 4096"},
      {{"--deals", "0"}, "expected an integer from 1 to 1000000000"}};
  for (const std::string bounds : {"1", "1,", ",1", "1,2,3", "a,b"})
    cases.push_back({{"--sprt", bounds}, "--sprt '" + bounds + "': expected two numbers, H0,H1, such as -0.5,0.5"});
  test::expect_refused({"match", "random", "random"}, cases);
  test::expect_refused({"match", "rule"}, {{{"randm"}, "did you mean 'random'?"}});
}

}  // namespace
}  // namespace dealer::cli_match_test
