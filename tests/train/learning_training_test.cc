// A small network, some hundred hands and a fixed seed suffice to check that training improves the agent.
#include <nlohmann/json.hpp>

#include "arena/match.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/testing.h"
#include "train/compute.h"
#include "train/trainer.h"

namespace dealer::learning_training_test {
namespace {

// A match of the trained agent against the initial one.
MatchResult after_training(const std::string& game, const std::string& more, int deals) {
  prepare_compute();
  Config config = Config::parse(R"(
algorithm: afterstate_td
seed: 1
workers: 1
self_play: {tables: 32, turns_per_iteration: 50, lambda: 0.5}
learner: {hidden_sizes: [32, 16], batch: 256, learning_rate: 0.003, ema_decay: 0.99}
)" + more,
                                "test.yaml");
  const GamePtr played = make_game(game);
  const auto trainer = read_algorithm(config).make(config, played, single_rank());
  config.finish();
  MatchOptions match;
  match.game = played;
  match.deals = test::repetitions(deals);
  match.seed = 9;
  const AgentFactoryPtr untrained = trainer->agents()[0].second;
  while (!trainer->done()) trainer->iterate();
  match.agents = {trainer->agents()[0].second, untrained};
  return play_match(match);
}

TEST(Learning, OfOfcImprovesPlay) {
  const MatchResult result = after_training("ofc", test::all_tests() ? "hands: 6000" : "hands: 1500", 300);
  // The result is six points a hand; a network that has learned only a constant wins one.
  EXPECT_GT(result.agents[0].mean() - result.agents[0].ci95(), test::repetitions(100) == 100 ? 3 : 0)
      << to_json(result);
  EXPECT_LT(result.agents[0].rate("foul_rate"), result.agents[1].rate("foul_rate"));
}

TEST(Learning, OfSevenHandImprovesPlay) {
  const MatchResult result = after_training("seven_hand", "hands: 2000", 200);
  EXPECT_GT(result.agents[0].mean() - result.agents[0].ci95(), test::repetitions(100) == 100 ? 0.6 : 0)
      << to_json(result);
}

}  // namespace
}  // namespace dealer::learning_training_test
