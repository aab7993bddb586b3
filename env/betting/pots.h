#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "env/betting/bet_rules.h"

namespace dealer::betting {

// One pot: the first is the original pot, the others are side pots that those who gone all-in earlier cannot win.
struct Pot {
  Chips chips = 0;
  SeatSet eligible = 0;
  // Set by settle(): who took it or shared it. With a low half that nobody made, and in games without one, low is 0.
  SeatSet high = 0;
  SeatSet low = 0;
};

struct Pots {
  std::array<Pot, kMaxSeats> pot{};
  int count = 0;
  std::span<const Pot> list() const { return std::span(pot).first(static_cast<std::size_t>(count)); }
};

// The pots of a hand: `paid` by every seat, folded or not, and who is still in (`live`, not empty). Side pots begin
// where a live player has paid no more; chips of folded players above the last of them lie in the last pot.
Pots make_pots(const std::array<Chips, kMaxSeats>& paid, SeatSet live);

// Hand values of the live seats: higher wins. Seats outside `qualified` have no low hand.
struct Values {
  std::array<std::uint32_t, kMaxSeats> high{};
  std::array<std::uint32_t, kMaxSeats> low{};
  SeatSet qualified = 0;
};

struct Payouts {
  std::array<Chips, kMaxSeats> chips{};
  Chips odd_chips = 0;  // odd chips that nobody gets
};

// Adds equal parts of the chips to the winners' payouts; what does not divide goes to the first of them left of the
// dealer, or off the table.
void share(Chips chips, SeatSet winners, int dealer, int seats, OddChips odd_chips, Payouts& payouts);

// Pays every pot: the best high hand among the eligible, or, if somebody qualifies for low, half of it (the larger one)
// to the best high hand and half to the best low hand. Equal hands share.
Payouts settle(Pots& pots, const Values& values, int dealer, int seats, OddChips odd_chips);

}  // namespace dealer::betting
