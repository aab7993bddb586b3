#include "agents/ofc/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "env/core/random.h"

namespace dealer::ofc::features_test {
namespace {

struct Position {
  Board own, other;
  CardSet live = kFullDeck;
};

// Random boards of 5, 7, 9, 11 or 13 cards each.
Position random_position(RandomStream& rng) {
  Position position;
  std::array<Card, kCards> deck;
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  for (std::size_t i = kCards; i > 1; --i) std::swap(deck[i - 1], deck[rng.below(static_cast<std::uint32_t>(i))]);
  std::size_t next = 0;
  for (Board* board : {&position.own, &position.other}) {
    for (std::uint32_t left = 5 + 2 * rng.below(5); left > 0;) {
      const auto row = static_cast<Row>(rng.below(3));
      if (board->room(row) == 0) continue;
      board->row[row] |= bit(deck[next]);
      position.live &= ~bit(deck[next++]);
      --left;
    }
  }
  // Some more cards that the observer has seen.
  for (std::uint32_t discards = rng.below(5); discards > 0; --discards) position.live &= ~bit(deck[next++]);
  return position;
}

std::set<int> set_of(const FeatureList& list) { return {list.feature.begin(), list.feature.begin() + list.count}; }

CardSet rename_suits(CardSet cards, const std::array<int, 4>& suit) {
  CardSet renamed = 0;
  for_each(cards,
           [&](Card card) { renamed |= bit(make_card(rank_of(card), suit[static_cast<std::size_t>(suit_of(card))])); });
  return renamed;
}

TEST(OfcFeatures, AreFewUniqueAndInRange) {
  RandomStream rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Position p = random_position(rng);
    const FeatureList list = features(p.own, p.other, p.live, i % 7 == 0);
    ASSERT_LE(list.count, kMaxActive);
    const std::set<int> set = set_of(list);
    ASSERT_EQ(static_cast<int>(set.size()), list.count) << to_string(p.own) << " against " << to_string(p.other);
    ASSERT_LT(*set.rbegin(), kFeatures);
  }
}

TEST(OfcFeatures, DoNotDependOnTheNamesOfTheSuits) {
  RandomStream rng(2);
  for (int i = 0; i < 5'000; ++i) {
    const Position p = random_position(rng);
    std::array<int, 4> suit = {0, 1, 2, 3};
    for (std::size_t s = 4; s > 1; --s) std::swap(suit[s - 1], suit[rng.below(static_cast<std::uint32_t>(s))]);
    Position q;
    for (std::size_t row = 0; row < kRows; ++row) {
      q.own.row[row] = rename_suits(p.own.row[row], suit);
      q.other.row[row] = rename_suits(p.other.row[row], suit);
    }
    q.live = rename_suits(p.live, suit);
    ASSERT_EQ(set_of(features(p.own, p.other, p.live, false)), set_of(features(q.own, q.other, q.live, false)));
  }
}

// By hand: the flush and straight features of a row, and that they go when the row can no longer become one.
TEST(OfcFeatures, SeeDraws) {
  const auto row_features = [](const char* cards, CardSet dead) {
    FeatureList list;
    const CardSet row = to_set(parse_cards(cards));
    add_row_features(kOwn, kBack, row, row_hand(kBack, row), kFullDeck & ~row & ~dead, list);
    return set_of(list);
  };
  const int base = row_base(kOwn, kBack);
  const int flush = base + kGroupFeatures + kSizeFeatures, straight = flush + kFlushFeatures;
  const int straight_flush = straight + kStraightFeatures;
  // Four hearts, nine live; open-ended: four fives and four tens, of which the hearts complete the straight flush.
  std::set<int> set = row_features("6h 7h 8h 9h", 0);
  EXPECT_TRUE(set.contains(flush + 3 * 11 + 9));
  EXPECT_TRUE(set.contains(straight + 3 * 9 + 8));
  EXPECT_TRUE(set.contains(straight_flush + 3));
  // Two suits: a straight only; with three fives gone five outs are left.
  set = row_features("6h 7h 8h 9s", to_set(parse_cards("5s 5h 5d")));
  EXPECT_TRUE(set.contains(straight + 3 * 9 + 5));
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= flush && f < straight; }));
  // The ace is low in the wheel and high in Broadway, never in between.
  EXPECT_TRUE(row_features("As 2h 3d 4c", 0).contains(straight + 3 * 9 + 4));
  EXPECT_TRUE(row_features("As Kh Qd Jc", 0).contains(straight + 3 * 9 + 4));
  set = row_features("As Kh 2d 3c", 0);
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= straight && f < straight_flush; }));
  // A pair ends the straight; its two live cards are counted.
  set = row_features("6h 6s", 0);
  EXPECT_TRUE(set.contains(base + 4 * 10 + 4 + 2));
  EXPECT_TRUE(std::none_of(set.begin(), set.end(), [&](int f) { return f >= flush && f <= straight_flush; }));
}

}  // namespace
}  // namespace dealer::ofc::features_test
