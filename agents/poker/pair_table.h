#pragma once

#include <vector>

#include "agents/poker/hand_categories.h"
#include "agents/poker/suit_order.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// What the two cards of hold'em are worth before the board: from many boards and hands dealt at random, found once a
// rule set. Hands that differ by a renaming of suits alone are one. Immutable.
class PairTable {
 public:
  static constexpr std::size_t kOpponents = 4;  // that are counted at least
  explicit PairTable(const GameRules& rules);

  struct Pair {
    float percentile = 0;  // among all pairs, by the first of `share`
    // In games with a low half: of each half with one opponent, and how often the low qualifies.
    float high = 0, low = 0, qualifies = 0;
    // Of the pot with one opponent, then the chance to beat two at once, and so on.
    std::vector<float> share;
    std::vector<float> becomes;  // how often, by category of the high ranking
  };
  const Pair& operator()(CardId a, CardId b) const { return pairs_[number(a, b)]; }

 private:
  static std::size_t number(CardId a, CardId b) {
    const std::size_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high - 1) / 2 + low;
  }
  std::vector<Pair> pairs_;
};

}  // namespace dealer::poker
