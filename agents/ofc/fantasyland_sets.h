#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "env/cards/card.h"
#include "env/hands/hand_rank.h"
#include "env/hands/hand_tables.h"

// Subsets of up to 17 sorted cards, represented by positions. The combinatorial number system numbers the subsets of
// one size without gaps, in integer order, independently of the number of cards.

namespace dealer::ofc::subsets {

// Bit p: the p-th lowest card.
using Places = std::uint32_t;

inline constexpr std::size_t kPlaces = 17;
inline constexpr std::size_t kFives = hand_tables::choose(kPlaces, 5);
inline constexpr std::size_t kThrees = hand_tables::choose(kPlaces, 3);

// kChoose[k][place]: the contribution of a position as the k-th lowest of a subset to the subset's number.
inline constexpr auto kChoose = [] {
  std::array<std::array<std::uint16_t, kPlaces>, 5> choose{};
  for (int k = 0; k < 5; ++k) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      choose[static_cast<std::size_t>(k)][place] =
          static_cast<std::uint16_t>(hand_tables::choose(static_cast<int>(place), k + 1));
    }
  }
  return choose;
}();

// All sets of one size by number, starting from `set`.
template <std::size_t kCount>
constexpr std::array<Places, kCount> all_from(Places set) {
  std::array<Places, kCount> sets{};
  for (Places& each : sets) {
    each = set;
    const Places low = set & -set;
    const Places carried = set + low;
    set = carried | ((set ^ carried) >> 2) / low;
  }
  return sets;
}
inline constexpr auto kFiveSets = all_from<kFives>(0b11111);
inline constexpr auto kThreeSets = all_from<kThrees>(0b111);

// The positions of a set, lowest first.
class PlaceList {
 public:
  explicit PlaceList(Places set) {
    for (; set != 0; set &= set - 1) place_[size_++] = static_cast<std::uint8_t>(std::countr_zero(set));
  }
  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t i) const { return place_[i]; }

 private:
  std::size_t size_ = 0;
  std::array<std::uint8_t, kPlaces> place_;
};

}  // namespace dealer::ofc::subsets

// An upper bound on the value of a front from the remaining cards, without enumerating every front.

namespace dealer::ofc {

// A pair or trips that a front may hold.
struct FrontKind {
  subsets::Places places;  // of all cards of the rank
  int need;
  HandRank lowest;
  double value;  // the maximum value of such a front
};

// The kinds available among some cards, the most valuable first.
class FrontKinds {
 public:
  void add(const FrontKind& kind) {
    std::size_t at = count_++;
    for (; at > 0 && kinds_[at - 1].value < kind.value; --at) kinds_[at] = kinds_[at - 1];
    kinds_[at] = kind;
  }
  // The maximum value of a front below `limit` from these cards; high cards are worth up to `otherwise`.
  double bound(subsets::Places free, HandRank limit, double otherwise) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const FrontKind& kind = kinds_[i];
      if (kind.value <= otherwise) break;
      if (kind.lowest < limit && std::popcount(free & kind.places) >= kind.need) return kind.value;
    }
    return otherwise;
  }

  // The weakest front from these cards for which enough(value) may hold; 0 if high cards may suffice.
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
