#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/exploitability.h"
#include "env/core/config.h"
#include "env/core/registry.h"
#include "train/compute.h"
#include "train/policy/policy_trainer.h"

namespace dealer::test {

using Overrides = std::vector<std::string>;

// A small learner that approaches an equilibrium of Kuhn poker within its hands.
inline constexpr const char* kKuhnConfig = R"(
seed: 3
hands: 60000
workers: 2
self_play: {tables: 64, steps: 8}
network: {hidden_sizes: [32]}
critic: {hidden_sizes: [32], sees: all, values: actions}
learner:
  batch: 256
  epochs: 2
  lambda: 1
  value_unit: 1
  gradient: all_actions
  learning_rate: {first: 0.005, last: 0.0005, shape: cosine}
  entropy: {first: 0}
  magnet: {first: 0.2}
  magnet_rate: 0.02
  ema_decay: 0.99
)";

inline PolicyTrainerSettings policy_settings(const Overrides& overrides, const std::string& game = "kuhn",
                                             const char* text = kKuhnConfig) {
  prepare_compute();
  Config config = Config::parse(text, "test.yaml");
  for (const std::string& assignment : overrides) config.set(assignment);
  PolicyTrainerSettings settings = read_policy_settings(config, *make_game(game));
  config.finish();
  return settings;
}

inline std::unique_ptr<PolicyTrainer> policy_trainer(const Overrides& overrides = {}, const std::string& game = "kuhn",
                                                     Ranks& ranks = single_rank(), const char* text = kKuhnConfig) {
  auto trainer = std::make_unique<PolicyTrainer>(make_game(game), policy_settings(overrides, game, text), ranks);
  trainer->begin();
  return trainer;
}

inline void iterate(Trainer& trainer, int iterations) {
  for (int i = 0; i < iterations; ++i) trainer.iterate();
}

// Exploitability of the agent to be shipped, in chips a hand of Kuhn poker.
inline double kuhn_exploitability(const Trainer& trainer) {
  const GamePtr game = make_game("kuhn");
  const tabular::GameTree tree(*game);
  return exploitability(tree, *trainer.agents().front().second->make()).exploitability;
}

}  // namespace dealer::test
