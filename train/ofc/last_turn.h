#pragma once

#include <span>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/row_values.h"
#include "env/core/random.h"

namespace dealer::ofc {

// The last turn of a hand, replayed with resampled cards: the mean value of the afterstate before it, of which the hand
// itself is a single sample.
struct LastTurn {
  Board board;               // 11 cards
  CardSet cards;             // possible cards
  bool in_the_dark = false;  // the player chose against an unseen opponent board
  bool deals = false;
  std::span<const BoardValue> others;  // their final boards
};

// The mean stake against each opponent over `draws` random draws of three cards, the player choosing the best of the
// complete boards: by the result if it sees the others' boards, else by its share and the mean value of its rows
// against boards in general. out: one per opponent.
void mean_stakes(const LastTurn& turn, const EndOfHand& end, const RowValues& rows, int draws, RandomStream& rng,
                 std::span<double> out);

}  // namespace dealer::ofc
