#include "agents/ofc/features.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dealer::ofc {
namespace {

constexpr int kSizeBase = kGroupFeatures;
constexpr int kFlushBase = kSizeBase + kSizeFeatures;
constexpr int kStraightBase = kFlushBase + kFlushFeatures;
constexpr int kStraightFlushBase = kStraightBase + kStraightFeatures;
constexpr int kPairOutBase = kStraightFlushBase + kStraightFlushFeatures;
constexpr int kTripsOutBase = kPairOutBase + kPairOutFeatures;

int live_of_rank(CardSet live, int rank) { return std::popcount(static_cast<unsigned>(live >> (4 * rank)) & 15U); }

// Bit r + 1 is set if the rank is present, bit 0 for the ace low: windows of five are runs of bits.
unsigned rank_bits(CardSet cards) {
  unsigned bits = 0;
  for_each(cards, [&](Card card) { bits |= 2U << rank_of(card); });
  return bits | (bits >> kRanks);
}

// The sum over all five-rank windows that contain every rank of the row: the minimum number of live cards over the
// missing ranks. With one card missing it is the number of outs.
int straight_ways(CardSet cards, CardSet live) {
  const unsigned have = rank_bits(cards);
  const unsigned have_high = have & ~1U;
  int ways = 0;
  for (int window = 0; window < 10; ++window) {
    const unsigned span = 31U << window;
    // An ace counts as the window requires: low in the first window, high elsewhere.
    const unsigned held = window == 0 ? have & ~(1U << kRanks) : have_high;
    if ((held & ~span) != 0) continue;
    int fewest = 4;
    for (unsigned missing = span & ~held; missing != 0; missing &= missing - 1) {
      const int position = std::countr_zero(missing);
      fewest = std::min(fewest, live_of_rank(live, position == 0 ? kRanks - 1 : position - 1));
    }
    ways += fewest;
  }
  return ways;
}

int compare_feature(const RowHand& a, const RowHand& b) {
  const int order = (a.rank >= b.rank ? 1 : 0) + (a.rank > b.rank ? 1 : 0);
  return order * 4 + (a.complete ? 2 : 0) + (b.complete ? 1 : 0);
}

// The index among kPatterns: hands of 1 to 5 cards have 1, 2, 3, 5 and 10 categories.
int pattern(int count, HandCategory category) {
  constexpr std::array<int, 6> kFirst = {0, 0, 1, 3, 6, 11};
  int index = static_cast<int>(category);
  if (count == 3 && category == HandCategory::kTrips) index = 2;
  if (count == 4 && category == HandCategory::kQuads) index = 4;
  return kFirst[at(count)] + index;
}

// 0: no pair, 1..13: pair of 2..A, 14: trips.
int front_kind(const RowHand& hand) {
  switch (hand.category) {
    case HandCategory::kPair:
      return 1 + first_rank(hand.rank);
    case HandCategory::kTrips:
      return 14;
    default:
      return 0;
  }
}

// 0, 5, 7, 9, 11, 13 cards -> 0..5.
int progress(int cards) { return cards < 5 ? 0 : (cards - 3) / 2; }

}  // namespace

RowHand row_hand(int row, CardSet cards) {
  const HandRank rank = dealer::evaluate(cards);
  return {rank, dealer::category(rank), size(cards) == kRowSize[at(row)]};
}

void add_row_features(Side side, int row, CardSet cards, const RowHand& hand, CardSet live, FeatureList& list) {
  const int base = row_base(side, row);
  const int count = size(cards);
  list.add(base + kSizeBase + count);
  if (count == 0) return;
  constexpr std::array<int, 5> kCountBase = {0, 0, 4, 7, 9};
  int distinct = 0, pair_outs = 0, trips_outs = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    const int held = std::popcount(static_cast<unsigned>(cards >> (4 * rank)) & 15U);
    if (held == 0) continue;
    ++distinct;
    const int alive = std::min(live_of_rank(live, rank), 4 - held);
    list.add(base + rank * 10 + kCountBase[at(held)] + alive);
    (held == 1 ? pair_outs : trips_outs) += alive;
  }
  const int kind = pattern(count, hand.category);
  list.add(base + kPairOutBase + kind * 13 + std::min(pair_outs, 12));
  list.add(base + kTripsOutBase + kind * 5 + std::min(trips_outs, 4));
  if (row == kFront) return;
  const int suit = suit_of(lowest(cards));
  const bool one_suit = (cards & ~suit_mask(suit)) == 0;
  if (one_suit) list.add(base + kFlushBase + (count - 1) * 11 + std::min(size(live & suit_mask(suit)), 10));
  if (distinct != count) return;
  const int ways = straight_ways(cards, live);
  if (ways == 0) return;
  list.add(base + kStraightBase + (count - 1) * 9 + std::min(ways, 8));
  if (one_suit) list.add(base + kStraightFlushBase + count - 1);
}

std::array<Feature, kActiveOrderFeatures> order_features(const RowHand& front, const RowHand& middle,
                                                         const RowHand& back) {
  constexpr int kBase = kRows * kRowFeatures;
  const int category = static_cast<int>(middle.category);
  const int complete = middle.complete ? 2 : 0;
  return {static_cast<Feature>(kBase + compare_feature(front, middle)),
          static_cast<Feature>(kBase + kCompareFeatures + compare_feature(middle, back)),
          static_cast<Feature>(kFrontMiddleBase + (front_kind(front) * 10 + category) * 4 + complete +
                               (front.complete ? 1 : 0)),
          static_cast<Feature>(kMiddleBackBase + (category * 10 + static_cast<int>(back.category)) * 4 + complete +
                               (back.complete ? 1 : 0))};
}

void add_order_features(Side side, const RowHands& rows, FeatureList& list) {
  if (side == kOwn) {
    for (const Feature feature : order_features(rows[kFront], rows[kMiddle], rows[kBack])) list.add(feature);
    return;
  }
  constexpr int kBase = kBoardFeatures + kRows * kRowFeatures;
  list.add(kBase + compare_feature(rows[kFront], rows[kMiddle]));
  list.add(kBase + kCompareFeatures + compare_feature(rows[kMiddle], rows[kBack]));
}

void add_versus_feature(int row, const RowHand& own, const RowHand& other, FeatureList& list) {
  list.add(kVersusBase + row * kCompareFeatures + compare_feature(own, other));
}

void add_context_features(CardSet live, int own_cards, int other_cards, bool other_in_fantasyland, FeatureList& list) {
  for (int rank = 0; rank < kRanks; ++rank) list.add(kLiveBase + rank * 5 + live_of_rank(live, rank));
  list.add(kOwnCountBase + progress(own_cards));
  list.add(kOtherCountBase + (other_in_fantasyland ? 6 : progress(other_cards)));
}

void add_fantasyland_features(const EntryValues& values, int other_cards, FeatureList& list) {
  for (std::size_t front = 0; front < values.size(); ++front) {
    const auto value = static_cast<int>(std::lround(std::clamp(values[front], 0.0, kEntryValues - 1.0)));
    list.add(kEntryValueBase + static_cast<int>(front) * kEntryValues + value);
  }
  if (other_cards != 0) list.add(kOtherCardsBase + other_cards - kBoardCards);
}

FeatureList features(const Board& own, const Board& other, CardSet live, bool other_in_fantasyland) {
  FeatureList list;
  RowHands mine, theirs;
  for (int row = 0; row < kRows; ++row) {
    const auto r = at(row);
    mine[r] = row_hand(row, own.row[r]);
    theirs[r] = row_hand(row, other.row[r]);
    add_row_features(kOwn, row, own.row[r], mine[r], live, list);
    add_row_features(kOther, row, other.row[r], theirs[r], live, list);
    add_versus_feature(row, mine[r], theirs[r], list);
  }
  add_order_features(kOwn, mine, list);
  add_order_features(kOther, theirs, list);
  add_context_features(live, size(own.cards()), size(other.cards()), other_in_fantasyland, list);
  return list;
}

}  // namespace dealer::ofc
