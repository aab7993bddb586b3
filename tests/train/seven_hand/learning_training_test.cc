#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "agents/seven_hand/value_agent.h"
#include "arena/match.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "train/compute.h"
#include "train/seven_hand/trainer.h"

namespace dealer::seven_hand::learning_training_test {
namespace {

// A small network and some hundred hands are enough to see whether learning goes uphill.
TEST(SevenHandTrainer, TrainingImprovesPlay) {
  prepare_compute();
  const GamePtr game = make_game("seven_hand");
  Config config = Config::parse(R"(
seed: 1
workers: 1
hands: 2000
self_play: {tables: 32, turns_per_iteration: 50}
learner: {hidden_sizes: [32, 16], batch: 256, learning_rate: 0.003, ema_decay: 0.99}
)",
                                "test.yaml");
  SevenHandTrainer trainer(std::dynamic_pointer_cast<const Game>(game), read_settings(config));
  config.finish();
  const auto player = [&] { return trainer.agents()[0].second; };
  MatchOptions match;
  match.game = game;
  match.deals = test::repetitions(200);
  match.seed = 9;
  const AgentFactoryPtr untrained = player();
  while (!trainer.done()) trainer.iterate();
  match.agents = {player(), untrained};
  const MatchResult result = play_match(match);
  EXPECT_GT(result.agents[0].mean() - result.agents[0].ci95(), test::repetitions(100) == 100 ? 0.6 : 0)
      << to_json(result);
}

}  // namespace
}  // namespace dealer::seven_hand::learning_training_test
