// Agents that are given the measured value of a rule.
#include "arena/studies/sweep/condition.h"

#include "arena/studies/sweep/run.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::condition_test {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

const Words kChains = {"deals=4", "values=[]", "openings=false"};

Sweep conditioned_sweep(const std::string& study, const std::string& sweep, const Words& overrides,
                        std::int64_t deals = 60, const std::string& training = {}) {
  SweepRequest all{study, overrides, {}, {}, training};
  read_key_and_values(sweep, all);
  all.condition_deals = deals;
  return make_sweep(all);
}

using Conditioned = InFolder;

TEST_F(Conditioned, AgentsReceiveTheValueOfTheRule) {
  const Sweep sweep = conditioned_sweep("fantasyland", "game.fantasyland.cards=13,16", kChains);
  const SweepOutcome outcome = run_sweep(sweep, at("s"));
  EXPECT_EQ(outcome.results["condition"], 60);
  EXPECT_EQ(outcome.results["training"], nullptr);
  // Each round uses the value found by the previous one, and the study that of the last round.
  const auto observed = [&](int cards, int round) {
    const Json config =
        Json::parse(file(fmt::format("s/condition/game.fantasyland.cards={}-{}/results.json", cards, round)));
    return std::pair(config["agent"].get<std::string>(), config["figures"]["chain"]["value"]["value"].get<double>());
  };
  for (const int cards : {13, 16}) {
    const Json& game = outcome.results["values"][cards == 13 ? 0 : 1]["games"][0];
    std::string next = observed(cards, 1).first;
    const double learned = make_agents("default", make_game(fmt::format("ofc[fantasyland.cards={}]", cards)))
                               ->option("fantasyland")
                               .value();
    EXPECT_EQ(next, fmt::format("default[fantasyland={}]", std::round(100 * learned) / 100));
    for (int round = 1; round <= 3; ++round) {
      EXPECT_EQ(observed(cards, round).first, next);
      next = fmt::format("default[fantasyland={}]", std::round(100 * observed(cards, round).second) / 100);
    }
    EXPECT_EQ(game["agent"], next);
    EXPECT_EQ(game["game"], fmt::format("ofc[fantasyland.cards={}]", cards));
  }
  // Sixteen cards are worth more than thirteen.
  EXPECT_GT(observed(16, 3).second, observed(13, 3).second + 5);
  EXPECT_TRUE(has(read_bytes(outcome.report), "measured in 60 deals of self-play"));
}

TEST_F(Conditioned, GoesOnWhereItWasStopped) {
  const Sweep sweep = conditioned_sweep("fantasyland", "game.fantasyland.cards=13,16", kChains, 40);
  run_sweep(sweep, at("whole"));
  SweepHooks hooks;
  int asked = 0;
  hooks.stop = [&] { return ++asked > 2; };
  const std::string stopped = run_sweep(sweep, at("parts"), hooks).stopped;
  EXPECT_EQ(stopped, "game.fantasyland.cards=13 while its agent was conditioned");
  EXPECT_EQ(run_sweep(sweep, at("parts")).stopped, "");
  EXPECT_EQ(files("parts"), files("whole"));
  const Sweep other = conditioned_sweep("fantasyland", "game.fantasyland.cards=13,16", kChains, 41);
  EXPECT_TRUE(refuses<UsageError>("condition", [&] { run_sweep(other, at("whole")); }));
}

TEST_F(Conditioned, AgentsWithoutTheOptionAreRefused) {
  const auto expect = [](const std::string& study, const std::string& sweep, const Words& overrides,
                         const std::string& why, const std::string& training = {}) {
    EXPECT_TRUE(
        refuses<UsageError>("--condition: " + why, [&] { conditioned_sweep(study, sweep, overrides, 40, training); }));
  };
  const char* const kCards = "game.fantasyland.cards=13,14";
  expect("fantasyland", kCards, {"agent=rule", "values=[]", "openings=false"},
         "'rule' has no option for the value of Fantasyland, which game.fantasyland.cards=13 changes; expected a "
         "trained agent of "
         "Open-Face Chinese poker, or no --condition");
  expect("washizu", "game.washizu=replace_suit,add", {"agent=random", "deals=6"},
         "'random' has no option for the value of Fantasyland, which game.washizu=replace_suit changes");
  expect("fantasyland", "agent=default,rule", kChains,
         "'agent' is not a rule of a game; expected --sweep game.KEY=V1,V2,...");
  // A search around the agent plays by the given value, too.
  EXPECT_NO_THROW(
      conditioned_sweep("fantasyland", kCards, {"agent=default[simulations=2]", "values=[]", "openings=false"}, 40));
  expect("fantasyland", kCards, kChains,
         "agents are trained for each value; expected one of --condition and --train-budget", "10m");
}

}  // namespace
}  // namespace dealer::studies::condition_test
