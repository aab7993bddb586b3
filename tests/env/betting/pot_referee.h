#pragma once

#include <array>

#include "env/betting/pots.h"

namespace dealer::betting {

// Payouts of the pots, computed chip by chip: independent of make_pots() and settle(), and slow. `paid` may contain
// unmatched chips: they are returned to their payers.
struct RefereePayouts {
  std::array<Chips, kMaxSeats> chips{};
  Chips odd_chips = 0;
};
RefereePayouts referee_payouts(const std::array<Chips, kMaxSeats>& paid, SeatSet live, const Values& values, int dealer,
                               int seats, OddChips odd_chips);

}  // namespace dealer::betting
