#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "agents/ofc/subsets.h"
#include "env/cards/card.h"
#include "env/hands/hand_rank.h"

// What the cards left for a front may still be worth, without looking at every front.
namespace dealer::ofc {

// A pair or trips that some front may hold.
struct FrontKind {
  subsets::Places places;  // of all cards of the rank
  int need;
  HandRank lowest;
  double value;  // the most such a front is worth
};

// The kinds there are among some cards, the most valuable first.
class FrontKinds {
 public:
  void add(const FrontKind& kind) {
    std::size_t at = count_++;
    for (; at > 0 && kinds_[at - 1].value < kind.value; --at) kinds_[at] = kinds_[at - 1];
    kinds_[at] = kind;
  }
  // The most that a front below `limit` from these cards may be worth; high cards are worth up to `otherwise`.
  double bound(subsets::Places free, HandRank limit, double otherwise) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const FrontKind& kind = kinds_[i];
      if (kind.value <= otherwise) break;
      if (kind.lowest < limit && std::popcount(free & kind.places) >= kind.need) return kind.value;
    }
    return otherwise;
  }

  // The weakest front from these cards for which enough(value) may hold; 0 if high cards may do.
  template <class Enough>
  HandRank weakest(subsets::Places free, double otherwise, Enough enough) const {
    if (enough(otherwise)) return 0;
    HandRank rank = 0xFFFF;
    for (std::size_t i = 0; i < count_ && enough(kinds_[i].value); ++i) {
      const FrontKind& kind = kinds_[i];
      if (std::popcount(free & kind.places) >= kind.need) rank = std::min(rank, kind.lowest);
    }
    return rank;
  }

 private:
  std::size_t count_ = 0;
  std::array<FrontKind, 2 * kRanks> kinds_;
};

}  // namespace dealer::ofc
