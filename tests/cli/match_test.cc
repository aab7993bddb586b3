#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "tests/cli/run_dealer.h"

namespace dealer::cli_match_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

TEST(Match, ReportsTheContractsFields) {
  const ProgramResult result = run_dealer("match rule random --game ofc --hands 20 --seed 3 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
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
  const auto json =
      nlohmann::json::parse(run_here({"match", "random", "random", "--hands", "50", "--seed", "1", "--json"}).out);
  EXPECT_EQ(json["mean"], nlohmann::json({0.0, 0.0}));
}

TEST(Match, SameSeedSameResultWhateverTheThreads) {
  const auto play = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"match", "rule", "random", "--hands", "20", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto json = nlohmann::json::parse(run_here(arguments).out);
    json.erase("seconds");
    return json;
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
  const auto json =
      nlohmann::json::parse(run_here({"match", "random", "random", "rule", "--hands", "5", "--json"}).out);
  EXPECT_EQ(json["game"], "ofc[players=3]");
  EXPECT_EQ(json["mean"].size(), 3U);
  EXPECT_EQ(run_here({"match", "random", "random", "rule", "--game", "ofc[players=2]"}).status, 2);
  EXPECT_EQ(run_here({"match", "random", "random", "random", "random"}).err,
            "dealer: 4 agents given; 'ofc' cannot be played by so many\n");
}

TEST(Match, DealsAreCalledSo) {
  const std::vector<std::string> rest = {"--seed", "5", "--json"};
  const auto play = [&](const std::string& option) {
    std::vector<std::string> arguments = {"match", "random", "random", "--game", "kuhn", option, "12"};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    auto json = nlohmann::json::parse(run_here(arguments).out);
    json.erase("seconds");
    return json;
  };
  EXPECT_EQ(play("--deals"), play("--hands"));
  EXPECT_EQ(run_here({"match", "random", "random", "--deals", "3", "--hands", "3"}).status, 2);
  EXPECT_EQ(play("--deals")["deals"], 12);
  EXPECT_EQ(play("--deals")["hands"], 12);
  EXPECT_EQ(play("--deals")["interrupted"], false);
}

// Plays at random and fails, or sends the program a signal, at one decision of a hundred.
class Troublesome final : public RandomAgent {
 public:
  explicit Troublesome(int signal) : signal_(signal) {}
  Decision act(const Observation& observation) override {
    const Decision decision = RandomAgent::act(observation);
    if (++decisions_ % 100 != 0) return decision;
    if (signal_ == 0) throw std::runtime_error("a message\nof two lines\x1b");
    std::raise(signal_);
    return decision;
  }

 private:
  int signal_;
  int decisions_ = 0;
};

void register_troublesome() {
  static const bool done = [] {
    register_agent_kind("troublesome", {.make =
                                            [](const Spec& spec, const GamePtr&) {
                                              Config options = agent_options(spec);
                                              const int signal = options.get_int<int>("signal", 0, 0, 64);
                                              options.finish();
                                              return make_factory(to_string(spec), [signal] {
                                                return std::make_unique<Troublesome>(signal);
                                              });
                                            },
                                        .plays = {},
                                        .what = "fails now and then",
                                        .recognises = {}});
    return true;
  }();
  ASSERT_TRUE(done);
}

std::vector<std::string> troublesome(const std::string& agent, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"match", "random", agent, "--game", "kuhn", "--deals", "300", "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Match, CountsTheFailuresOfAnAgentAndGoesOn) {
  register_troublesome();
  const ProgramResult result = run_here(troublesome("troublesome", {"--json"}));
  EXPECT_EQ(result.status, 0);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["deals"], 300);
  EXPECT_EQ(json["failures"][0]["error"], 0);
  EXPECT_GE(json["failures"][1]["error"], 6);
  EXPECT_LE(json["failures"][1]["error"], 12);
  EXPECT_EQ(json["failures"][1]["illegal"], 0);
  EXPECT_EQ(json["failures"][1]["late"], 0);
  const std::string first = json["failures"][1]["first"]["error"];
  EXPECT_TRUE(contains(first, " of deal ") && contains(first, ": a message\nof two lines")) << first;

  const ProgramResult text = run_here(troublesome("troublesome", {}));
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
  register_troublesome();
  const ProgramResult result = run_here(troublesome("troublesome", {"--strict"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("dealer: agent 'troublesome' in seat ")) << result.err;
  EXPECT_TRUE(result.err.ends_with(": a message\\nof two lines\\x1b\n")) << result.err;
}

TEST(Match, InterruptedItPrintsTheResultSoFar) {
  register_troublesome();
  const std::string sigint = "troublesome[signal=" + std::to_string(SIGINT) + ']';
  const ProgramResult result = run_here(troublesome(sigint, {"--json"}));
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
  auto whole = nlohmann::json::parse(
      run_here({"match", "random", "random", "--game", "kuhn", "--deals", std::to_string(deals), "--json"}).out);
  EXPECT_EQ(json["mean"], whole["mean"]);
  EXPECT_EQ(json["stats"], whole["stats"]);

  const ProgramResult text = run_here(troublesome("troublesome[signal=" + std::to_string(SIGTERM) + ']', {}));
  EXPECT_EQ(text.status, 143);
  EXPECT_TRUE(text.out.starts_with("kuhn: " + std::to_string(deals) + " deals in every seating")) << text.out;
  // Nothing was interrupted after the last deal.
  EXPECT_EQ(run_here(troublesome("random", {})).status, 0);
}

TEST(Match, RefusesOptionsOutOfRange) {
  const auto refusal = [](const std::string& option, const std::string& value) {
    const ProgramResult result = run_here({"match", "random", "random", option, value});
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_EQ(
      refusal("--move-time", "-1"),
      "dealer: 'dealer match': --move-time: '-1' is not allowed; expected a number from 0 (no limit) to 3600; see "
      "'dealer match --help'\n");
  EXPECT_TRUE(contains(refusal("--move-time", "nan"), "'nan' is not allowed"));
  EXPECT_TRUE(contains(refusal("--num-envs", "5000"), "expected an integer from 0 to 4096"));
  EXPECT_TRUE(contains(refusal("--deals", "0"), "expected an integer from 1 to 1000000000"));
  for (const char* bounds : {"1", "1,", ",1", "1,2,3", "a,b"})
    EXPECT_EQ(refusal("--sprt", bounds),
              std::string("dealer: --sprt '") + bounds + "': expected two numbers, H0,H1, such as -0.5,0.5\n");
}

TEST(Match, AnUnknownAgentNamesTheNearest) {
  const ProgramResult result = run_here({"match", "rule", "randm"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "'randm'")) << result.err;
  EXPECT_TRUE(contains(result.err, "did you mean 'random'?")) << result.err;
}

}  // namespace
}  // namespace dealer::cli_match_test
