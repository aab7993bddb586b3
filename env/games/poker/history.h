#pragma once

#include <bit>

#include "env/games/poker/state.h"

namespace dealer::poker {

// Walks through the betting of a hand in order.
class State::PastActions {
 public:
  explicit PastActions(const State& state) : state_(state), n_(state.rules().players) {}

  // False at the end.
  bool next() {
    while (row_ == 0)
      if (!next_lap()) return false;
    const int lane = std::countr_zero(row_) / 2;
    const unsigned code = row_ >> (2 * lane) & 3U;
    row_ &= ~(3U << (2 * lane));
    seat = first_ + lane - (first_ + lane >= n_ ? n_ : 0);
    kind = static_cast<Kind>(code - 1);
    total = kind == kBet ? state_.amount(place_) : 0;
    place_ += kind == kBet ? kAmountBytes : 0;
    return true;
  }

  int round = -1;
  int turn = 0;  // of the seat, in this round
  Seat seat = -1;
  Kind kind = kFolded;
  Chips total = 0;  // what a bet or raise goes to

 private:
  bool next_lap() {
    if (++lap_ >= state_.laps_) return false;
    while (round + 1 < state_.rounds_begun_ && state_.round_begin_[at(round + 1)] <= lap_) ++round;
    first_ = state_.first_[at(round)];
    turn = lap_ - state_.round_begin_[at(round)];
    row_ = static_cast<unsigned>(state_.laps_from(lap_)) & ((1U << (2 * n_)) - 1);
    return true;
  }

  const State& state_;
  const int n_;
  int lap_ = -1;
  int first_ = 0;
  unsigned row_ = 0;  // what is left of the lap: two bits for every seat, from the first to act on
  int place_ = state_.packing().amounts;
};

}  // namespace dealer::poker
