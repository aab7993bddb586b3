#pragma once

#include <array>
#include <span>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/row_values.h"
#include "env/core/random.h"

namespace dealer::ofc {

// The last turn of a hand, played again and again with other cards: how the afterstate before it does on average, where
// the hand itself is a single sample of it.
struct LastTurn {
  Board board;               // 11 cards
  CardSet cards;             // that may come
  bool in_the_dark = false;  // some opponent's board was not complete yet when the player chose
  bool deals = false;
  std::span<const BoardValue> others;  // their boards in the end
};

// The mean stake against each opponent over `draws` random draws of three cards, the player choosing the best of the
// complete boards: by the result where it sees the others' boards, else by its share and what rows are worth against
// boards in general. out: one an opponent.
void mean_stakes(const LastTurn& turn, const EndOfHand& end, const RowValues& rows, int draws, RandomStream& rng,
                 std::span<double> out);

}  // namespace dealer::ofc
