#include "env/hands/hand_tables.h"

#include <algorithm>
#include <span>

namespace dealer::hand_tables {
namespace {

using Ranks = std::array<int, kMaxCards>;

// Contribution of a card of this rank to the index as the i-th lowest.
std::uint32_t step(std::size_t i, int rank) { return kSteps[i][make_card(rank, 0)]; }

std::uint32_t index_of(std::span<const int> ranks) {
  std::uint32_t index = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) index += step(i, ranks[i]);
  return index;
}

// Calls f(ranks, index) for all sorted ranks of n cards with at most four of one rank.
template <class F>
void for_each_multiset(std::size_t n, F&& f) {
  Ranks ranks{};
  const std::span<int> used(ranks.data(), n);
  while (true) {
    bool possible = true;
    for (std::size_t i = 4; i < n; ++i) possible = possible && used[i] != used[i - 4];
    if (possible) f(std::span<const int>(used), index_of(used));
    // The next multiset: raise the lowest card that can rise, and reset those below it.
    std::size_t i = 0;
    while (i < n && used[i] == (i + 1 < n ? used[i + 1] : kRanks - 1)) ++i;
    if (i == n) return;
    ++used[i];
    std::fill_n(used.begin(), i, 0);
  }
}

// Cards of these ranks that form no flush: equal ranks get different suits, and the suits rotate.
CardSet mixed_suits(std::span<const int> ranks) {
  CardSet hand = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) hand |= bit(make_card(ranks[i], static_cast<int>(i % kSuits)));
  return hand;
}

CardSet one_suit(std::uint32_t ranks) {
  CardSet hand = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    if ((ranks >> rank & 1U) != 0) hand |= bit(make_card(rank, 0));
  }
  return hand;
}

// The best hand of more than five cards is the best one with a card left out.
void fill_by_dropping(std::size_t n, const HandRank* smaller, HandRank* table) {
  for_each_multiset(n, [&](std::span<const int> ranks, std::uint32_t index) {
    // Cards below the one left out keep their contribution, those above it move one place lower.
    std::uint32_t without = index_of(ranks.subspan(1));
    HandRank best = smaller[without];
    for (std::size_t i = 1; i < n; ++i) {
      without += step(i - 1, ranks[i - 1]) - step(i - 1, ranks[i]);
      best = std::max(best, smaller[without]);
    }
    table[index] = best;
  });
}

}  // namespace

Tables::Tables() noexcept : by_ranks_padded{}, flush{} {
  struct Entry {
    std::uint32_t packed;
    HandRank* slot;
  };
  std::vector<Entry> entries;
  const auto table = [this](std::size_t n) { return by_ranks_padded.data() + 1 + kStart[n]; };
  for (std::size_t n = 0; n <= 5; ++n) {
    for_each_multiset(n, [&](std::span<const int> ranks, std::uint32_t index) {
      entries.push_back({packed_reference(mixed_suits(ranks)), table(n) + index});
    });
  }
  for (std::uint32_t mask = 0; mask < 1U << kRanks; ++mask) {
    if (std::popcount(mask) == 5) entries.push_back({packed_reference(one_suit(mask)), &flush[mask]});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.packed < b.packed; });
  for (const Entry& entry : entries) {
    if (packed.empty() || packed.back() != entry.packed) packed.push_back(entry.packed);
    *entry.slot = static_cast<HandRank>(packed.size() - 1);
  }
  for_each_multiset(5, [&](std::span<const int> ranks, std::uint32_t index) {
    std::uint32_t mask = 0;
    for (const int rank : ranks) mask |= 1U << rank;
    table(5)[kFlush5 + index] = flush[mask];
  });
  for (std::uint32_t mask = 0; mask < 1U << kRanks; ++mask) {
    if (std::popcount(mask) <= 5) continue;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      flush[mask] = std::max(flush[mask], flush[mask & ~(rest & -rest)]);
    }
  }
  fill_by_dropping(6, table(5), table(6));
  fill_by_dropping(7, table(6), table(7));
}

[[gnu::init_priority(101)]] const Tables kTables;

}  // namespace dealer::hand_tables
