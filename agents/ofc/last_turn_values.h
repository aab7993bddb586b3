#pragma once

#include <cstdint>

#include "agents/ofc/afterstates.h"

namespace dealer::ofc {

// Whether last_turn_value() is exact: everybody else's board is complete, but for one opponent at most, who is not in
// Fantasyland and lacks its last turn only.
bool can_be_exact(const View& view);

struct LastTurnValue {
  double points;       // expected
  std::int64_t deals;  // of the opponent's last cards that it is the mean over; 1 where nothing is open
};
// What a complete board is worth to the observer, who has not set it yet: the mean over all cards that the opponent may
// get, who makes the best of them. Precondition: can_be_exact(view), and nobody has set Fantasyland cards.
LastTurnValue last_turn_value(const View& view, const Board& board, const EndOfHand& end);

}  // namespace dealer::ofc
