#pragma once

#include <cstdint>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// The start of a hand at a table whose players bring their chips or points from earlier hands: a tournament table
// (docs/rules/betting.md and docs/rules/ofc.md name the rules that accept it).
struct TableStart {
  std::vector<Amount> chips;  // or points, of each seat; all above 0
  Seat dealer = -1;           // -1: drawn
  int hands = 0;              // hands played before this one, for rules whose multiplier grows with them
  // The privilege of each seat in this hand (Pineapple OFC: the cards of its Fantasyland hand); 0: nothing. Empty:
  // nothing for anybody.
  std::vector<std::uint8_t> privileges = {};
  std::uint64_t match_seed = 0;  // seed of draws made once for many hands: the cards that transparent ones replace

  friend bool operator==(const TableStart&, const TableStart&) = default;
};

}  // namespace dealer
