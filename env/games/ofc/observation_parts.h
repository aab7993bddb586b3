#pragma once

#include <array>
#include <string>

#include "env/cards/card.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// A normal hand has five streets. Cards dealt, placed and discarded by the end of each.
inline constexpr int kStreets = 5;
inline constexpr std::array<int, kStreets> kDealtCards = {5, 8, 11, 14, 17};
inline constexpr std::array<int, kStreets> kPlacedCards = {5, 7, 9, 11, 13};

// Hands are counted in an observation up to here.
inline constexpr int kHandsScale = 1024;

struct ObservationParts {
  int players, rows, discards, hand, next, fantasyland, out, dealer, turn, seat, street, places_left, discards_left,
      points, hands, size;

  constexpr explicit ObservationParts(int n)
      : players(n),
        rows(0),
        discards(rows + n * kRows * kCards),
        hand(discards + kCards),
        next(hand + kCards),
        fantasyland(next + kCards),
        out(fantasyland + n),
        dealer(out + n),
        turn(dealer + n),
        seat(turn + n),
        street(seat + n),
        places_left(street + 5),
        discards_left(places_left + 1),
        points(discards_left + 1),
        hands(points + n),
        size(hands + 1) {}
};

// Throws UsageError: the numbers are no observation.
[[noreturn]] void refuse_observation(const std::string& what);
// A count written down as a share of `scale`. Throws UsageError when it is not within [0, 1].
int count_of(float share, int scale);

}  // namespace dealer::ofc
