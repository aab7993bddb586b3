#pragma once

#include <cstdint>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// How a hand begins at a table whose players have brought what they have from earlier hands: one of a tournament
// (docs/rules/betting.md and docs/rules/ofc.md tell which rules take it).
struct TableStart {
  std::vector<Amount> chips;     // or points, of each seat; all above 0
  Seat dealer = -1;              // -1: drawn
  int hands = 0;                 // played before this one, for rules whose multiplier grows with them
  std::uint16_t seats = 0;       // a bit a seat: begins the hand with a privilege of the game
  std::uint64_t match_seed = 0;  // of what is drawn once for many hands: the cards that transparent ones replace

  friend bool operator==(const TableStart&, const TableStart&) = default;
};

}  // namespace dealer
