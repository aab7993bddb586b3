#include "arena/small_belief.h"

#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace dealer::small {

Belief::Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int /*samples*/)
    : game_(std::move(game)), evaluator_(make_evaluator(others, *game_), *game_) {}

void Belief::begin_hand(Seat me) {
  me_ = me;
  own_.clear();
}

Belief::Key Belief::key(const State& state, Seat seat) const {
  std::vector<float> seen(static_cast<std::size_t>(game_->observation_spec().size()));
  state.observe(seat, seen.data());
  Key bytes(seen.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), seen.data(), bytes.size());
  return bytes;
}

// Of the seat to act.
const std::vector<double>& Belief::policy(const State& state) {
  std::vector<double>& known = policy_[key(state, state.current_player())];
  if (!known.empty()) return known;
  evaluator_.ask(
      1, [&](std::size_t) -> const State& { return state; }, true, false);
  const std::span<const double> policy = evaluator_.policy(0);
  known.assign(policy.begin(), policy.end());
  return known;
}

// Adds all states that the player to act, whose `own` decisions have been as far, cannot tell from the real one. `any`:
// whatever the agent does, every action as likely as any other.
void Belief::find_range(const State& state, double weight, std::size_t own, const Key& now, bool any) {
  const auto go_on = [&](Action action, double probability, std::size_t done) {
    if (probability <= 0) return;
    State next = state;
    next.apply(action);
    find_range(next, weight * probability, done, now, any);
  };
  const Seat seat = state.current_player();
  if (seat == kChance) {
    for (const ChanceOutcome& outcome : state.chance_outcomes()) go_on(outcome.action, outcome.probability, own);
  } else if (seat == me_ && own < own_.size()) {
    if (key(state, me_) == own_[own].seen) go_on(own_[own].action, 1, own + 1);
  } else if (seat == me_) {
    if (key(state, me_) == now) range_.push_back({state, weight});
  } else if (seat != kTerminal) {
    const LegalMask legal = state.legal_mask();
    const std::vector<double> probability = policy(state);
    for (LegalMask rest = legal; rest != 0; rest &= rest - 1) {
      const Action action = std::countr_zero(rest);
      go_on(action, any ? 1.0 / std::popcount(legal) : probability[static_cast<std::size_t>(action)], own);
    }
  }
}

std::vector<Particle<State>>& Belief::find(const Key& now) {
  range_.clear();
  find_range(State::start(game_->rules()), 1, 0, now, false);
  agrees_ = !range_.empty();
  if (!agrees_) find_range(State::start(game_->rules()), 1, 0, now, true);
  return range_;
}

}  // namespace dealer::small
