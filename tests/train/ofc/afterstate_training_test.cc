#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "agents/ofc/value_agent.h"
#include "arena/match.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "train/compute.h"
#include "train/ofc/trainer.h"

namespace dealer::ofc::afterstate_training_test {
namespace {

// A small network, some thousand hands and the seed are enough to see whether learning goes uphill.
TEST(AfterstateTrainer, TrainingImprovesPlay) {
  prepare_compute();
  const GamePtr game = make_game("ofc");
  TrainerSettings settings;
  settings.seed = 1;
  settings.workers = 1;
  settings.hands = test::repetitions(6000);
  settings.turns_per_iteration = 50;
  settings.batch = 256;
  settings.learning_rate = 3e-3;
  settings.tables = 32;
  settings.lambda = 0.5;
  settings.learner.hidden_sizes = {32, 16};
  settings.learner.ema_decay = 0.99;
  settings.learner.workers = 1;
  OfcTrainer trainer(std::dynamic_pointer_cast<const Game>(game), settings);
  const auto player = [&](const char* name) {
    return make_value_agents(name, std::make_shared<const ValueModel>(trainer.model()), game);
  };
  MatchOptions match;
  match.game = game;
  match.deals = test::repetitions(300);
  match.seed = 9;
  const AgentFactoryPtr untrained = player("untrained");
  while (!trainer.done()) trainer.iterate();
  match.agents = {player("trained"), untrained};
  const MatchResult result = play_match(match);
  // Six points a hand are won; a network that has learned nothing but a constant wins one.
  const double least = test::repetitions(100) == 100 ? 3 : 0;
  EXPECT_GT(result.agents[0].mean() - result.agents[0].ci95(), least) << to_json(result);
  EXPECT_LT(result.agents[0].rate("foul_rate"), result.agents[1].rate("foul_rate"));
}

}  // namespace
}  // namespace dealer::ofc::afterstate_training_test
