#pragma once

#include <array>
#include <span>

#include "env/games/ofc/board.h"
#include "env/games/ofc/state.h"

// What a row may still become: the arithmetic of a careful human player, by counting live cards.
namespace dealer::ofc {

// The cards that may still come to the observer.
struct Live {
  CardSet cards = 0;                      // not seen anywhere
  double pairs = 1;                       // how much likelier two cards chosen for a row pair up than two at random
  double chance = 0;                      // that a given one of them comes and finds a place where it is wanted
  int coming = 0;                         // cards the observer is still dealt this hand
  std::array<double, kRanks + 1> none{};  // [n]: that none of n given ones does

  // The chance that at least `need` of `wanted` live cards (0 to 13) come.
  double at_least(int need, int wanted) const;

  // For the situation after the turn the observer is to set;
  // taken, pairs: see RuleStyle.
  static Live after_turn(const View& view, double taken, double pairs);
};

// One hand a row may end as.
struct RowEnd {
  HandRank rank;
  float chance;
};

inline constexpr int kMaxRowEnds = 40;
// The ends of a row, at least one, strongest first; the chances add up to 1. The last is what the row is already: all
// before it are draws. A complete row has one end, its exact rank; ranks of draws are typical ones of their category.
struct RowDistribution {
  std::array<RowEnd, kMaxRowEnds> ends;
  int count = 0;
};

RowDistribution row_distribution(Row row, CardSet cards, const Live& live);

}  // namespace dealer::ofc
