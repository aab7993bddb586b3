#pragma once

#include <nlohmann/json_fwd.hpp>

#include "agents/ofc/chain_values.h"
#include "agents/ofc/row_values.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// The exact best setting of a Fantasyland hand (docs/rules/ofc.md).

// The objective: royalties + stay_value if the board stays in Fantasyland + the value of the rows, if given.
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
nlohmann::ordered_json to_json(const Setting& setting);

// The best setting without foul of 13 to 17 cards; one always exists. Ties go to the strongest
// back, then the strongest middle, then front, and then the lowest cards: the least CardSet of the
// back, the middle, the front. Allocates nothing (about 200 KB of stack); thread-safe. Throws
// UsageError on another number of cards.
Setting solve_fantasyland(CardSet cards, const FantasylandGoal& goal = {});

// solve_fantasyland() by brute force: the reference of benchmarks and tests. About a million settings
// for 14 cards, 170 million for 17.
Setting solve_fantasyland_reference(CardSet cards, const FantasylandGoal& goal = {});

}  // namespace dealer::ofc
