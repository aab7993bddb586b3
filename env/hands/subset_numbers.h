#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "env/cards/deck.h"

// Sets of cards by number, and sums over the hands that contain them: the basis of the draw tables.
namespace dealer {

// Contribution of a place (from 0), as the i-th lowest of a set, to the number of the set: C(place, i + 1). The sets of
// one size are then numbered without gaps, in the order of the sets as integers (combinatorial number system).
inline constexpr auto kSubsetSteps = [] {
  std::array<std::array<std::uint32_t, kMaxDeckCards + 1>, 5> step{};
  for (std::size_t i = 0; i < step.size(); ++i)
    for (std::size_t place = 1; place < step[i].size(); ++place)
      step[i][place] = step[i][place - 1] + (i == 0 ? 1 : step[i - 1][place - 1]);
  return step;
}();
constexpr std::size_t subset_step(std::size_t i, std::size_t place) { return kSubsetSteps[i][place]; }

// Calls visit(number) for every set that is `places`, in ascending order, less one place.
template <class Visit>
void for_each_smaller(std::span<const int> places, Visit&& visit) {
  for (std::size_t out = 0; out < places.size(); ++out) {
    std::size_t number = 0, size = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (i != out) number += subset_step(size++, static_cast<std::size_t>(places[i]));
    visit(number);
  }
}

// The next set of the same size in the order of their numbers.
inline void advance_subset(std::span<int> places) {
  std::size_t i = 0;
  while (i + 1 < places.size() && places[i] + 1 == places[i + 1]) ++i;
  ++places[i];
  for (std::size_t below = 0; below < i; ++below) places[below] = static_cast<int>(below);
}

// sums, by the mask of some of a hand's cards: over all hands that contain these. Turns them into sums over the hands
// that share exactly these cards with the hand, by inclusion-exclusion.
template <class T, std::size_t kMasks>
void keep_just_these(std::array<T, kMasks>& sums) {
  for (std::size_t card = 1; card < kMasks; card <<= 1)
    for (std::size_t block = 0; block < kMasks; block += 2 * card)
      for (std::size_t kept = block; kept < block + card; ++kept) sums[kept] -= sums[kept + card];
}

}  // namespace dealer
