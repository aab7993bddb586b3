#pragma once

#include <array>
#include <cstdint>

#include "env/cards/card.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// Cards of a normal hand are dealt 5, 3, 3, 3, 3: the street of the i-th, and how many there are after each street.
inline constexpr std::array<std::uint8_t, 17> kStreetOfCard = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
inline constexpr std::array<int, 5> kDealtCards = {5, 8, 11, 14, 17};

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

}  // namespace dealer::ofc
