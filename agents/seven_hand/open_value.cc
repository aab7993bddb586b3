#include "agents/seven_hand/open_value.h"

#include <algorithm>
#include <array>

#include "agents/seven_hand/chip_odds.h"
#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

// Probabilities are never exactly 0 or 1: draws are to come.
constexpr double kLeast = 0.001;

}  // namespace

double OpenValue::reserve(const State& state, Seat seat) const {
  const int turns = kTurns - state.finished_turns(seat);
  if (turns == 0) return 0.5;
  const Groups groups = share_out(state.hand(seat), turns, true);
  double sum = kUnseenTurn * (turns - groups.count);
  for (int g = 0; g < groups.count; ++g) {
    const double made = behaviour_prior_.beats(groups.cards[at(g)]);
    // As ChipOdds::reserve().
    sum += g < turns - 1 ? std::max(made, kUnseenTurn) : made;
  }
  return sum / turns;
}

double OpenValue::operator()(const State& state, Seat me) const {
  const Chip mine = me == 0 ? Chip::kSeat0 : Chip::kSeat1;
  const double own_reserve = reserve(state, me), their_reserve = reserve(state, 1 - me);
  const auto strength = [&](Seat seat, int chip, double otherwise) {
    return state.turn_laid(seat, chip) != 0 ? behaviour_prior_.beats(state.laid(seat, chip)) : otherwise;
  };
  std::array<double, kChips> chance{};
  std::array<bool, kChips> tied{};
  for (int chip = 0; chip < kChips; ++chip) {
    const Chip how = state.chip(chip);
    tied[at(chip)] = how == Chip::kTied;
    chance[at(chip)] = how == mine ? 1 : 0;
    if (how != Chip::kOpen) continue;
    const double own = strength(me, chip, own_reserve), other = strength(1 - me, chip, their_reserve);
    chance[at(chip)] = std::clamp(chance_between(own, other), kLeast, 1 - kLeast);
  }
  return line_.value(chance, tied);
}

}  // namespace dealer::seven_hand
