#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/cards/card.h"
#include "env/hands/hand_rank.h"

namespace dealer::hand_tables {

// The ranks r0 <= r1 <= ... of n cards, sorted, are numbered without gaps by the combinatorial number system:
// index = sum over i of C(r_i + i, i + 1), so every table below is as small as it can be.
inline constexpr int kMaxCards = 7;

constexpr std::uint32_t choose(int n, int k) {
  std::uint32_t value = 1;
  for (int i = 1; i <= k; ++i) value = value * static_cast<std::uint32_t>(n - k + i) / static_cast<std::uint32_t>(i);
  return n < k ? 0 : value;
}

// Rank multisets of n cards, five and more of one rank included.
constexpr std::uint32_t multisets(int n) { return choose(kRanks - 1 + n, n); }

// kSteps[i][card]: contribution of the i-th lowest card to the index. 64 wide for byte permutations.
using Steps = std::array<std::array<std::uint16_t, 64>, kMaxCards>;
inline constexpr Steps kSteps = [] {
  Steps steps{};
  for (int i = 0; i < kMaxCards; ++i) {
    for (int card = 0; card < kCards; ++card) {
      steps[static_cast<std::size_t>(i)][static_cast<std::size_t>(card)] =
          static_cast<std::uint16_t>(choose(rank_of(static_cast<Card>(card)) + i, i + 1));
    }
  }
  return steps;
}();

// Offset of the table of n cards in Tables::by_ranks. The flushes of five stand right behind the other hands of
// five, so that a flush costs an addition and no branch.
inline constexpr std::uint32_t kFlush5 = multisets(5);
inline constexpr std::array<std::uint32_t, kMaxCards + 1> kStart = [] {
  std::array<std::uint32_t, kMaxCards + 1> start{};
  for (std::size_t n = 1; n <= kMaxCards; ++n) {
    start[n] = start[n - 1] + multisets(static_cast<int>(n) - 1) * (n - 1 == 5 ? 2 : 1);
  }
  return start;
}();
inline constexpr std::uint32_t kByRanks = kStart[kMaxCards] + multisets(kMaxCards);

struct Tables {
  // One extra entry at either end: vector code reads two neighbouring entries at once.
  std::array<HandRank, kByRanks + 2> by_ranks_padded;
  // Best hand of five or more cards of one suit, by the set of ranks.
  std::array<HandRank, (1 << kRanks) + 1> flush;
  std::vector<std::uint32_t> packed;  // of every class, increasing

  Tables() noexcept;
  const HandRank* by_ranks(int n) const { return by_ranks_padded.data() + 1 + kStart[static_cast<std::size_t>(n)]; }
};

// Built before main and before other files' global objects: in two milliseconds, with no check on access.
extern const Tables kTables;

}  // namespace dealer::hand_tables
