#include "agents/evaluator_agent.h"

#include <span>
#include <utility>

#include "env/core/at.h"
#include "env/core/weighted_index.h"

namespace dealer {

EvaluatorAgent::EvaluatorAgent(std::unique_ptr<PositionEvaluator> evaluator, const Game& game)
    : evaluator_(std::move(evaluator)), policy_(at(game.num_actions())) {}

void EvaluatorAgent::reset(Seat /*seat*/, std::uint64_t seed) { rng_ = RandomStream(seed, 0); }

Decision EvaluatorAgent::act(const Observation& observation) {
  evaluator_->evaluate(std::span(&observation, 1), policy_);
  const std::size_t chosen = weighted_index(policy_, static_cast<double>(rng_.uniform()), policy_.size());
  return chosen < policy_.size() ? static_cast<Action>(chosen) : kNoAction;
}

std::optional<std::vector<double>> EvaluatorAgent::policy(const Observation& observation) {
  evaluator_->evaluate(std::span(&observation, 1), policy_);
  std::vector<double> legal;
  for (const Action action : observation.legal_actions()) legal.push_back(policy_[at(action)]);
  return legal;
}

std::optional<double> EvaluatorAgent::value(const Observation& observation) {
  if (!evaluator_->attributes().value) return std::nullopt;
  double value = 0;
  evaluator_->evaluate(std::span(&observation, 1), {}, std::span(&value, 1));
  return value;
}

}  // namespace dealer
