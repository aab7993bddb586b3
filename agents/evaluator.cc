#include "agents/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "agents/agent_error.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/weighted_index.h"

namespace dealer {
namespace {

// The maximum number of deals tried to reach a first decision.
constexpr std::uint64_t kTries = 100;

// Finds out which outputs an agent has at a first decision. In some games' initial states nobody is to act.
EvaluatorAttributes probed(Agent& agent, const Game& game) {
  const std::unique_ptr<Env> table = game.new_env();
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    table->reset(seed);
    const Seat seat = table->current_player();
    if (seat < 0) continue;
    agent.reset(seat, 0);
    const Observation seen = table->observe(seat);
    return {.policy = agent.policy(seen).has_value(), .value = agent.value(seen).has_value()};
  }
  return {};
}

}  // namespace

ActionValues PositionEvaluator::action_values(const Observation&, std::span<const Action>, std::uint64_t) {
  throw UsageError("the agent provides no values of the choices of a turn");
}

std::vector<AfterstateValue> PositionEvaluator::afterstate_values(const Observation&, int) {
  throw UsageError("the agent provides no values of afterstates");
}

AgentEvaluator::AgentEvaluator(std::unique_ptr<Agent> agent, const Game& game, std::string spec,
                               std::optional<EvaluatorAttributes> known)
    : agent_(std::move(agent)),
      game_(game.shared_from_this()),
      spec_(std::move(spec)),
      normalises_(!known),
      attributes_(known) {}

EvaluatorAttributes AgentEvaluator::attributes() const {
  if (!attributes_) attributes_ = probed(*agent_, *game_);
  return *attributes_;
}

void AgentEvaluator::add_policy(const Observation& seen, double* row) {
  const std::optional<std::vector<double>> legal = agent_->policy(seen);
  if (!legal)
    throw UsageError(
        fmt::format("agent '{}' gives no action probabilities; networks, solutions and random agents do", spec_));
  const double sum = normalises_ ? std::accumulate(legal->begin(), legal->end(), 0.0) : 1;
  std::size_t next = 0;
  for (LegalMask rest = seen.legal_mask; rest != 0; rest &= rest - 1)
    row[std::countr_zero(rest)] = (*legal)[next++] / sum;
}

void AgentEvaluator::evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) {
  const auto actions = static_cast<std::size_t>(game_->num_actions());
  std::fill(policy.begin(), policy.end(), 0.0);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    agent_->reset(seen[i].player, 0);
    if (!policy.empty()) add_policy(seen[i], &policy[i * actions]);
    // An unknown value may be replaced by any number that is a function of the position.
    if (!value.empty()) value[i] = agent_->value(seen[i]).value_or(0);
  }
}

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

std::unique_ptr<PositionEvaluator> make_evaluator(const AgentFactory& agents, const Game& game) {
  expect_there(agents);
  if (std::unique_ptr<PositionEvaluator> own = agents.make_evaluator()) return own;
  std::unique_ptr<Agent> agent = agents.make();
  if (agent->observes())
    throw UsageError(fmt::format(
        "agent '{}' observes the events of its table; expected one that decides by what it sees", agents.spec()));
  return std::make_unique<AgentEvaluator>(std::move(agent), game, agents.spec());
}

EvaluatorAttributes attributes_of(const AgentFactory& agents, const Game& game) {
  const EvaluatorAttributes declared = agents.attributes();
  if (declared != EvaluatorAttributes()) return declared;
  const std::unique_ptr<Agent> agent = agents.make();
  return agent->observes() ? EvaluatorAttributes() : probed(*agent, game);
}

void check_policy(const AgentFactory& agents, const Game& game) {
  const std::unique_ptr<PositionEvaluator> evaluator = make_evaluator(agents, game);
  if (agents.attributes().policy) return;
  const std::unique_ptr<Env> table = game.new_env();
  table->reset(0);
  const Observation seen = table->observe(table->current_player());
  std::vector<double> policy(static_cast<std::size_t>(game.num_actions()));
  evaluator->evaluate(std::span(&seen, 1), policy);
}

}  // namespace dealer
