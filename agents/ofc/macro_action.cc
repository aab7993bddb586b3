#include "agents/ofc/macro_action.h"

namespace dealer::ofc {

bool MacroAction::fits(const Board& board, CardSet discards, CardSet hand) const {
  for (std::size_t row = 0; row < kRows; ++row)
    if ((board.row[row] & ~board_.row[row]) != 0) return false;
  return (discards & ~discards_) == 0 && (board.cards() | discards | hand) == (board_.cards() | discards_);
}

Place MacroAction::next(CardSet hand) const {
  const CardSet card = hand & -hand;
  if ((board_.row[kFront] & card) != 0) return kToFront;
  if ((board_.row[kMiddle] & card) != 0) return kToMiddle;
  return (board_.row[kBack] & card) != 0 ? kToBack : kToDiscard;
}

}  // namespace dealer::ofc
