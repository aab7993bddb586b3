#pragma once

#include <array>

#include "env/betting/pots.h"

namespace dealer::betting {

// What the pots pay, found chip by chip: independent of make_pots() and settle(), and slow. `paid` may still hold chips
// that nobody could match: they come back to whoever paid them.
struct RefereePayouts {
  std::array<Chips, kMaxSeats> chips{};
  Chips odd_chips = 0;
};
RefereePayouts referee_payouts(const std::array<Chips, kMaxSeats>& paid, SeatSet live, const Values& values, int dealer,
                               int seats, OddChips odd_chips);

}  // namespace dealer::betting
