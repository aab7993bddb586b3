#pragma once

#include "agents/ofc/row_values.h"
#include "env/games/ofc/board.h"

// The exact best setting of a Fantasyland hand (docs/rules/ofc.md).
namespace dealer::ofc {

inline constexpr int kMinFantasylandCards = 13;
inline constexpr int kMaxFantasylandCards = 17;

// To be maximised: royalties + stay_value if the board stays in Fantasyland + what the rows are worth, if given.
// stay_value: finite, in points.
struct FantasylandGoal {
  double stay_value = 0;
  const RowValues* rows = nullptr;
  const Rules* rules = &kStandardRules;
};

struct Setting {
  Board board;
  CardSet discards = 0;
  int royalties = 0;
  bool stays = false;
  double value = 0;
};

// The best setting without foul of 13 to 17 cards; there is always one. Of equal values the strongest back wins, then
// the strongest middle, then front, and then the lowest cards: the least CardSet of the back, the middle, the front.
// Allocates nothing (some 200 KB of stack); safe to call from several threads. Throws UsageError on another number of
// cards.
Setting solve_fantasyland(CardSet cards, const FantasylandGoal& goal = {});

}  // namespace dealer::ofc
