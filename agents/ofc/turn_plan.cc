#include "agents/ofc/turn_plan.h"

namespace dealer::ofc {

bool TurnPlan::fits(const View& view) const {
  const Board& now = view.board[0];
  for (std::size_t row = 0; row < kRows; ++row)
    if ((now.row[row] & ~board_.row[row]) != 0) return false;
  return (view.discards & ~discards_) == 0 && (now.cards() | view.discards | view.hand) == (board_.cards() | discards_);
}

Place TurnPlan::next(const View& view) const {
  const CardSet card = view.hand & -view.hand;
  if ((board_.row[kFront] & card) != 0) return kToFront;
  if ((board_.row[kMiddle] & card) != 0) return kToMiddle;
  return (board_.row[kBack] & card) != 0 ? kToBack : kToDiscard;
}

}  // namespace dealer::ofc
