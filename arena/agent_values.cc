#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "agents/evaluator.h"
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
  AgentValues(const AgentFactory& agents, const Game& game) : evaluator_(make_evaluator(agents, game)) {}

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
    if (!asked_.empty()) evaluator_->evaluate(std::span(seen_).first(asked_.size()), {}, value_);
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
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::size_t positions_ = 0;
  std::vector<double> returns_;  // [positions, players]
  std::vector<Observation> seen_;
  std::vector<std::size_t> asked_;  // position of each
  std::vector<double> value_;
};

}  // namespace

bool tells_values(const AgentFactory& agents, const Game& game) { return attributes_of(agents, game).value; }

ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players) {
  if (spec == kShowdownValues || (spec.empty() && is_betting_game(*game))) {
    showdown_values(*game);
    return {};
  }
  // Not searches, which would think again about every other deal, nor programs on a connection.
  if (spec.empty())
    for (const AgentFactoryPtr& player : players)
      if (player->attributes().cheap && player->attributes().value) return {player};
  AgentFactoryPtr agents = make_agents(spec.empty() ? "default" : spec, game);
  if (!tells_values(*agents, *game)) refuse(*agents, *game);
  return {std::move(agents)};
}

std::unique_ptr<PositionValues> agent_values(const AgentFactory& agents, const Game& game) {
  if (!tells_values(agents, game)) refuse(agents, game);
  return std::make_unique<AgentValues>(agents, game);
}

}  // namespace dealer
