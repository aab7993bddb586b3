#pragma once

#include <array>

#include "env/games/ofc/board.h"
#include "env/games/ofc/state.h"

// The distribution of a row's final hand: the arithmetic of a careful human player, by counting live cards.
namespace dealer::ofc {

// The cards that may still come to the observer.
struct Live {
  CardSet cards = 0;                      // not seen anywhere
  double pairs = 1;                       // the factor by which two cards chosen for a row are likelier to pair up
  double chance = 0;                      // probability that a given one of them comes and finds a place
  int coming = 0;                         // cards the observer is still dealt this hand
  std::array<double, kRanks + 1> none{};  // [n]: probability that none of n given ones does

  // The probability that at least `need` of `wanted` live cards (0 to 13) come.
  double at_least(int need, int wanted) const;

  // The situation after the turn that the observer is about to set, derived from its view. `taken` and `pairs` are the
  // parameters of the same names in RuleStyle.
  static Live after_turn(const View& view, double taken, double pairs);
};

// A possible final hand of a row.
struct RowEnd {
  HandRank rank;
  float chance;
};

inline constexpr int kMaxRowEnds = 40;
// The possible final hands of a row, strongest first, at least one; the probabilities sum to 1. The last is the row's
// present hand, the others are draws with typical ranks of their category. A complete row has one, its exact rank.
struct RowDistribution {
  std::array<RowEnd, kMaxRowEnds> ends;
  int count = 0;
};

RowDistribution row_distribution(Row row, CardSet cards, const Live& live);

}  // namespace dealer::ofc
