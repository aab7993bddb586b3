#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "env/betting/bet_rules.h"

namespace dealer::betting {

// One pot: the first is the original pot, the others are side pots, which players all-in for less cannot win.
struct Pot {
  Chips chips = 0;
  SeatSet eligible = 0;
  // Set by settle(): the winners. low is 0 in games without a low half and where no hand qualified for it.
  SeatSet high = 0;
  SeatSet low = 0;
};

struct Pots {
  std::array<Pot, kMaxSeats> pot{};
  int count = 0;
  std::span<const Pot> list() const { return std::span(pot).first(static_cast<std::size_t>(count)); }
};

// The pots of a hand. `paid`: by every seat, folded or not; `live`: seats still in, not empty. A side pot begins where
// a live player has paid no more; chips of folded players above the last such level lie in the last pot.
Pots make_pots(const std::array<Chips, kMaxSeats>& paid, SeatSet live);

// Hand values of the live seats: higher wins. Seats outside `qualified` have no low hand.
struct Values {
  std::array<std::uint32_t, kMaxSeats> high{};
  std::array<std::uint32_t, kMaxSeats> low{};
  SeatSet qualified = 0;
};

struct Payouts {
  std::array<Chips, kMaxSeats> chips{};
  Chips odd_chips = 0;  // odd chips that no winner gets
};

// Adds equal parts of the chips to the winners' payouts; the remainder goes to the first winner left of the dealer, or
// off the table.
void share(Chips chips, SeatSet winners, int dealer, int seats, OddChips odd_chips, Payouts& payouts);

// Pays every pot to the best high hand among the eligible seats. If some hand qualifies for low, the best high hand
// gets half (the larger one) and the best low hand the other half. Equal hands share.
Payouts settle(Pots& pots, const Values& values, int dealer, int seats, OddChips odd_chips);

}  // namespace dealer::betting
