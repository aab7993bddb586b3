#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "agents/agent_policies.h"
#include "agents/search/search.h"
#include "arena/position_values.h"
#include "env/core/error.h"

namespace dealer {
namespace {

[[noreturn]] void refuse(const AgentFactory& agents, const Game& game) {
  throw UsageError(
      fmt::format("agent '{}' does not tell what positions of '{}' are worth", agents.spec(), game.spec()));
}

class AgentValues final : public PositionValues {
 public:
  AgentValues(const AgentFactory& agents, const Game& game) : game_(game) {
    if (const auto* tells = dynamic_cast<const TellsPolicies*>(&agents))
      policies_ = tells->make_policies();
    else
      agent_ = agents.make();
  }

  void add(const Env& table, std::uint64_t /*seed*/, bool /*often*/) override {
    const std::vector<double> returns = table.returns();
    returns_.insert(returns_.end(), returns.begin(), returns.end());
    const Seat seat = table.current_player();
    if (seat >= 0) {
      if (seen_.size() == asked_.size()) seen_.emplace_back();
      table.observe(seat, seen_[asked_.size()]);
      asked_.push_back(positions_);
    }
    ++positions_;
  }

  void compute(std::span<double> worth) override {
    std::copy(returns_.begin(), returns_.end(), worth.begin());
    value_.resize(asked_.size());
    if (!asked_.empty()) ask(std::span(seen_).first(asked_.size()));
    const std::size_t players = returns_.size() / positions_;
    for (std::size_t i = 0; i < asked_.size(); ++i)
      for (std::size_t seat = 0; seat < players; ++seat)
        worth[asked_[i] * players + seat] += seat == static_cast<std::size_t>(seen_[i].player)
                                                 ? value_[i]
                                                 : -value_[i] / static_cast<double>(players - 1);
    positions_ = 0;
    asked_.clear();
    returns_.clear();
  }

 private:
  void ask(std::span<const Observation> seen) {
    if (policies_) {
      probability_.resize(seen.size() * static_cast<std::size_t>(game_.num_actions()));
      return policies_->ask(seen, probability_, value_);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      agent_->reset(seen[i].player, 0);
      // Any value will do where the agent knows none, as long as it depends on the position alone.
      value_[i] = agent_->value(seen[i]).value_or(0);
    }
  }

  const Game& game_;
  std::unique_ptr<AgentPolicies> policies_;
  std::unique_ptr<Agent> agent_;  // without policies
  std::size_t positions_ = 0;
  std::vector<double> returns_;  // [positions, players]
  std::vector<Observation> seen_;
  std::vector<std::size_t> asked_;  // position of each
  std::vector<double> value_, probability_;
};

}  // namespace

bool tells_values(const AgentFactory& agents, const Game& game) {
  if (const auto* tells = dynamic_cast<const TellsPolicies*>(&agents)) return tells->make_policies()->tells_values();
  const std::unique_ptr<Agent> agent = agents.make();
  if (agent->hears()) return false;
  const std::unique_ptr<Env> table = game.new_env();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    table->reset(seed);
    const Seat seat = table->current_player();
    if (seat < 0) continue;
    agent->reset(seat, 0);
    return agent->value(table->observe(seat)).has_value();
  }
  return false;
}

// Not so searches, which would think again about every other deal, and programs on a connection.
static bool is_cheap(const AgentFactory& agents) {
  return dynamic_cast<const TellsPolicies*>(&agents) != nullptr ||
         dynamic_cast<const MakesSearches*>(&agents) != nullptr;
}

ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players) {
  if (spec == kShowdownValues || (spec.empty() && is_betting_game(*game))) {
    showdown_values(*game);
    return {};
  }
  if (spec.empty())
    for (const AgentFactoryPtr& player : players)
      if (is_cheap(*player) && tells_values(*player, *game)) return {player};
  AgentFactoryPtr agents = make_agents(spec.empty() ? "default" : spec, game);
  if (!tells_values(*agents, *game)) refuse(*agents, *game);
  return {std::move(agents)};
}

std::unique_ptr<PositionValues> agent_values(const AgentFactory& agents, const Game& game) {
  if (!tells_values(agents, game)) refuse(agents, game);
  return std::make_unique<AgentValues>(agents, game);
}

}  // namespace dealer
