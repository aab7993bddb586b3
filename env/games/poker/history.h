#pragma once

#include <bit>
#include <cstring>

#include "env/games/poker/state.h"

namespace dealer::poker {

// Walks through the betting of a hand in order.
class State::PastActions {
 public:
  explicit PastActions(const State& state) : state_(state), packing_(state.packing()), n_(state.rules().players) {}

  // False at the end.
  bool next() {
    while (row_ == 0)
      if (!next_lap()) return false;
    const int lane = std::countr_zero(row_) / 2;
    const unsigned code = row_ >> (2 * lane) & 3U;
    row_ &= ~(3U << (2 * lane));
    seat = first_ + lane - (first_ + lane >= n_ ? n_ : 0);
    kind = static_cast<Kind>(code - 1);
    // Whether somebody bet cannot be foretold, so there is no branch.
    const int bet = code == kBet + 1 ? 1 : 0;
    total = state_.amount(place_) & -bet;
    place_ += kAmountBytes * bet;
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
    const int bit = lap_ * n_ * 2;
    std::uint32_t word = 0;
    std::memcpy(&word, state_.bytes_.data() + packing_.laps + bit / 8, sizeof(word));
    row_ = word >> (bit % 8) & ((1U << (2 * n_)) - 1);
    return true;
  }

  const State& state_;
  const Packing& packing_;
  const int n_;
  int lap_ = -1;
  int first_ = 0;
  unsigned row_ = 0;  // what is left of the lap: two bits for every seat, from the first to act on
  int place_ = packing_.amounts;
};

}  // namespace dealer::poker
