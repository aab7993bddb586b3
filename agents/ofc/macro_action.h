#pragma once

#include "env/games/ofc/state.h"

namespace dealer::ofc {

// A turn decided as a whole and played card by card, lowest first.
class MacroAction {
 public:
  MacroAction() = default;
  // The observer's board and own discards, earlier ones included, as they shall be after the turn.
  MacroAction(const Board& board, CardSet discards) : board_(board), discards_(discards) {}

  // Whether the plan is of these very cards and every card moved so far went where the plan wants it.
  bool fits(const Board& board, CardSet discards, CardSet hand) const;
  // The same, and the observer is to act.
  bool goes_on(const OwnCards& own) const { return own.to_act && fits(own.board, own.discards, own.hand); }
  // Where the next card of a hand goes. The plan must fit and there be one (not checked).
  Place next(CardSet hand) const;

  const Board& board() const { return board_; }
  CardSet discards() const { return discards_; }

 private:
  Board board_;
  CardSet discards_ = 0;
};

}  // namespace dealer::ofc
