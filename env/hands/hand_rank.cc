#include "env/hands/hand_rank.h"

#include <array>
#include <string_view>

#include "env/hands/hand_tables.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace dealer {
namespace {

using hand_tables::kFlush5;
using hand_tables::kSteps;
using hand_tables::kTables;

// lowest() also handles the empty set, at the cost of a branch.
std::size_t first_card(CardSet hand) { return static_cast<std::size_t>(__builtin_ctzll(hand)); }

// The number of the ranks of the N cards among all multisets.
template <int N>
std::uint32_t index_of(CardSet hand) {
  std::uint32_t index = 0;
#pragma GCC unroll 7
  for (std::size_t i = 0; i < N; ++i) {
    index += kSteps[i][first_card(hand)];
    hand &= hand - 1;
  }
  return index;
}

// The ranks of the cards of one suit as 13 bits.
std::uint32_t ranks_of_suit(CardSet hand, int suit) {
#ifdef __BMI2__
  return static_cast<std::uint32_t>(_pext_u64(hand, suit_mask(suit)));
#else
  std::uint64_t bits = hand >> suit & suit_mask(0);  // every fourth bit
  bits = (bits | bits >> 3) & 0x0303030303030303;
  bits = (bits | bits >> 6) & 0x000F000F000F000F;
  bits = (bits | bits >> 12) & 0x000000FF000000FF;
  return static_cast<std::uint32_t>((bits | bits >> 24) & 0x1FFF);
#endif
}

// The rank of the flush among six or seven cards, 0 without one.
HandRank flush_rank(CardSet hand) {
  for (int suit = 0; suit < kSuits; ++suit) {
    // The product's top nibble sums all nibbles: a population count that works on every processor.
    const CardSet count = (hand >> suit & suit_mask(0)) * 0x1111111111111111 >> 60;
    if (count >= 5) return kTables.flush[ranks_of_suit(hand, suit)];
  }
  return 0;
}

template <int N>
HandRank evaluate_more_than_five(CardSet hand) {
  const HandRank flush = flush_rank(hand);
  // With five cards of one suit among seven there is neither a full house nor better.
  return flush != 0 ? flush : kTables.by_ranks(N)[index_of<N>(hand)];
}

constexpr std::array<std::string_view, 10> kCategoryNames = {"high card",      "pair",       "two pair",   "trips",
                                                             "straight",       "flush",      "full house", "quads",
                                                             "straight flush", "royal flush"};
constexpr std::array<std::string_view, kRanks> kRankNames = {"two",  "three", "four", "five",  "six",  "seven", "eight",
                                                             "nine", "ten",   "jack", "queen", "king", "ace"};

std::string name_of(int rank) { return std::string(kRankNames[static_cast<std::size_t>(rank)]); }
std::string plural_of(int rank) {
  return name_of(rank) + (kRankNames[static_cast<std::size_t>(rank)] == "six" ? "es" : "s");
}

}  // namespace

HandRank evaluate3(CardSet hand) { return kTables.by_ranks(3)[index_of<3>(hand)]; }

HandRank evaluate5(CardSet hand) {
  const CardSet other_suits = hand & ~suit_mask(static_cast<int>(first_card(hand) % kSuits));
  return kTables.by_ranks(5)[index_of<5>(hand) + (other_suits == 0 ? kFlush5 : 0)];
}

HandRank evaluate7(CardSet hand) { return evaluate_more_than_five<7>(hand); }

HandRank evaluate(CardSet hand) {
  switch (size(hand)) {
    case 0:
      return kTables.by_ranks(0)[0];
    case 1:
      return kTables.by_ranks(1)[index_of<1>(hand)];
    case 2:
      return kTables.by_ranks(2)[index_of<2>(hand)];
    case 3:
      return evaluate3(hand);
    case 4:
      return kTables.by_ranks(4)[index_of<4>(hand)];
    case 5:
      return evaluate5(hand);
    case 6:
      return evaluate_more_than_five<6>(hand);
    default:
      return evaluate7(hand);
  }
}

std::uint32_t packed(HandRank rank) { return kTables.packed[rank]; }

HandCategory category(HandRank rank) { return static_cast<HandCategory>(packed(rank) >> 20); }

int first_rank(HandRank rank) { return static_cast<int>(packed(rank) >> 16 & 0xF) - 1; }

std::string_view to_string(HandCategory category) { return kCategoryNames[static_cast<std::size_t>(category)]; }

std::string describe(HandRank rank) {
  if (packed(rank) == 0) return "no cards";
  const HandCategory kind = category(rank);
  std::string text(to_string(kind));
  const int first = first_rank(rank);
  const int second = static_cast<int>(packed(rank) >> 12 & 0xF) - 1;
  switch (kind) {
    case HandCategory::kHighCard:
      return name_of(first) + " high";
    case HandCategory::kPair:
    case HandCategory::kTrips:
    case HandCategory::kQuads:
      return text + " of " + plural_of(first);
    case HandCategory::kTwoPair:
      return text + ", " + plural_of(first) + " and " + plural_of(second);
    case HandCategory::kFullHouse:
      return text + ", " + plural_of(first) + " over " + plural_of(second);
    case HandCategory::kRoyalFlush:
      return text;
    default:
      return text + ", " + name_of(first) + " high";
  }
}

}  // namespace dealer
