#include "arena/card_luck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "agents/agent_policies.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

[[noreturn]] void refuse(const AgentFactory& agents, const Game& game) {
  throw UsageError(fmt::format("agent '{}' does not tell what positions of '{}' are worth", agents.spec(), game.spec()));
}

// Networks, asked for many positions at once.
class NetworkValues final : public PositionValues {
 public:
  NetworkValues(std::unique_ptr<AgentPolicies> policies, int actions)
      : policies_(std::move(policies)), actions_(static_cast<std::size_t>(actions)) {}
  void ask(std::span<const Observation> seen, std::span<double> values) override {
    probability_.resize(seen.size() * actions_);
    policies_->ask(seen, probability_, values);
  }

 private:
  std::unique_ptr<AgentPolicies> policies_;
  std::size_t actions_;
  std::vector<double> probability_;
};

class SingleValues final : public PositionValues {
 public:
  SingleValues(const AgentFactory& agents, const Game& game) : agents_(agents), game_(game), agent_(agents.make()) {}
  void ask(std::span<const Observation> seen, std::span<double> values) override {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::optional<double> value = agent_->value(seen[i]);
      if (!value) refuse(agents_, game_);
      values[i] = *value;
    }
  }

 private:
  const AgentFactory& agents_;
  const Game& game_;
  std::unique_ptr<Agent> agent_;
};

Luck in_units(double value) { return std::llround(value / kLuckUnit); }

}  // namespace

bool tells_values(const AgentFactory& agents, const Game& game) {
  if (const auto* tells = dynamic_cast<const TellsPolicies*>(&agents)) return tells->make_policies()->tells_values();
  const std::unique_ptr<Agent> agent = agents.make();
  if (agent->hears()) return false;
  const std::unique_ptr<Env> table = game.new_env();
  table->reset(0);
  agent->reset(table->current_player(), 0);
  return agent->value(table->observe(table->current_player())).has_value();
}

std::unique_ptr<PositionValues> make_position_values(const AgentFactory& agents, const Game& game) {
  if (!tells_values(agents, game)) refuse(agents, game);
  if (const auto* tells = dynamic_cast<const TellsPolicies*>(&agents))
    return std::make_unique<NetworkValues>(tells->make_policies(), game.num_actions());
  return std::make_unique<SingleValues>(agents, game);
}

CardLuck::CardLuck(const Game& game, const AgentFactory& values, int samples)
    : samples_(samples),
      values_(make_position_values(values, game)),
      before_(game.new_env({.hold_hands = true})),
      other_(game.new_env({.hold_hands = true})),
      returns_(static_cast<std::size_t>(samples) + 1) {}

void CardLuck::note(const Env& table, std::size_t position) {
  returns_[position] = table.returns();
  const Seat seat = table.current_player();
  if (seat < 0) return;
  if (seen_.size() <= asked_.size()) seen_.emplace_back();
  table.observe(seat, seen_[asked_.size()]);
  asked_.push_back(position);
}

template <class Deal>
void CardLuck::add(const Env& table, std::uint64_t seed, std::span<Luck> luck, const Deal& deal) {
  asked_.clear();
  note(table, 0);
  for (int i = 1; i <= samples_; ++i) {
    deal(*other_, derive(seed, static_cast<std::uint64_t>(i)));
    note(*other_, static_cast<std::size_t>(i));
  }
  value_.resize(asked_.size());
  if (!asked_.empty()) values_->ask(std::span(seen_).first(asked_.size()), value_);
  const auto players = returns_[0].size();
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    std::vector<double>& worth = returns_[asked_[i]];
    const auto to_act = static_cast<std::size_t>(seen_[i].player);
    for (std::size_t seat = 0; seat < players; ++seat)
      worth[seat] += seat == to_act ? value_[i] : -value_[i] / static_cast<double>(players - 1);
  }
  // Seat 0 bears what rounding leaves, so that nothing is lost or won in all.
  Luck rest = 0;
  for (std::size_t seat = players; seat-- > 0;) {
    double mean = 0;
    for (std::size_t i = 1; i < returns_.size(); ++i) mean += returns_[i][seat];
    mean /= samples_;
    const Luck here = seat == 0 ? -rest : in_units(returns_[0][seat] - mean);
    luck[seat] += here;
    rest += here;
  }
}

void CardLuck::add_step(const Env& table, const Decision& decision, std::uint64_t seed, std::span<Luck> luck) {
  const std::vector<Event> events = table.events(kOmniscient, before_->cursor());
  const bool dealt = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.kind == Event::Kind::kDealt || event.kind == Event::Kind::kDrew;
  });
  if (!dealt) return;
  add(table, seed, luck, [&](Env& other, std::uint64_t sample) {
    other.assign(*before_);
    other.redeal(sample);
    other.step(decision, step_);
  });
}

void CardLuck::add_next_hand(const Env& table, std::uint64_t seed, std::span<Luck> luck) {
  add(table, seed, luck, [&](Env& other, std::uint64_t sample) {
    other.assign(*before_);
    other.redeal(sample);
    other.next_hand();
  });
}

void CardLuck::add_reset(const Env& table, std::uint64_t seed, std::span<Luck> luck) {
  add(table, seed, luck, [](Env& other, std::uint64_t sample) { other.reset(sample); });
}

}  // namespace dealer
