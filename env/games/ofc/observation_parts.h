#pragma once

#include <array>

#include "env/cards/card.h"
#include "env/core/env_text.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// Scale of hand counts in an observation, and the largest count, which no game reaches.
inline constexpr int kHandsScale = 1024;
inline constexpr int kMostHands = 1 << 20;
inline constexpr int kMostScaledHands = kMostHands / kHandsScale;

// The entry of part `fantasyland` for a player with this many Fantasyland cards: 1 where all Fantasyland hands have the
// same number of cards.
float fantasyland_value(int cards, const GameRules& rules);

struct ObservationParts {
  int players, rows, discards, hand, next, fantasyland, out, dealer, turn, seat, street, places_left, discards_left,
      points, won, hands, size;

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
        won(points + n),
        hands(won + n),
        size(hands + 1) {}
};

}  // namespace dealer::ofc
