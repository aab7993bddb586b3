#include "env/hands/hand_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "env/core/random.h"

namespace dealer::hand_rank_test {
namespace {

HandRank rank_of_text(std::string_view cards) { return evaluate(to_set(parse_cards(cards))); }

// Calls f(hand) for all hands of n cards.
template <class F>
void for_each_hand(int n, F&& f, CardSet hand = 0, int below = kCards) {
  if (n == 0) return f(hand);
  for (int card = n - 1; card < below; ++card) for_each_hand(n - 1, f, hand | bit(static_cast<Card>(card)), card);
}

CardSet random_hand(RandomStream& random, int n) {
  CardSet hand = 0;
  while (size(hand) < n) hand |= bit(static_cast<Card>(random.below(kCards)));
  return hand;
}

// The best rank with one card left out.
HandRank best_without_one(CardSet hand) {
  HandRank best = 0;
  for_each(hand, [&](Card card) { best = std::max(best, evaluate(hand & ~bit(card))); });
  return best;
}

CardSet turn_suits(CardSet hand, const std::array<int, kSuits>& suits) {
  CardSet turned = 0;
  for_each(hand, [&](Card card) {
    turned |= bit(make_card(dealer::rank_of(card), suits[static_cast<std::size_t>(suit_of(card))]));
  });
  return turned;
}

TEST(HandRank, EveryFiveCardHandEqualsTheReferenceAndTheCategoriesCount) {
  std::array<int, 10> counts{};
  std::set<HandRank> classes;
  int different = 0;
  for_each_hand(5, [&](CardSet hand) {
    const HandRank rank = evaluate5(hand);
    different += packed(rank) != packed_reference(hand) || rank != evaluate(hand) ? 1 : 0;
    ++counts[static_cast<std::size_t>(category(rank))];
    classes.insert(rank);
  });
  EXPECT_EQ(different, 0);
  EXPECT_EQ(counts, (std::array<int, 10>{1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4}));
  EXPECT_EQ(classes.size(), 7462U);
}

TEST(HandRank, EveryHandOfFewerCardsEqualsTheReference) {
  std::set<HandRank> classes;
  for (int n = 0; n <= 4; ++n) {
    int different = 0;
    for_each_hand(n, [&](CardSet hand) {
      const HandRank rank = evaluate(hand);
      different += packed(rank) != packed_reference(hand) || (n == 3 && rank != evaluate3(hand)) ? 1 : 0;
      classes.insert(rank);
    });
    EXPECT_EQ(different, 0) << n << " cards";
  }
  // As many as there are multisets of ranks: 1 + 13 + 91 + 455 + 1820.
  EXPECT_EQ(classes.size(), 2380U);
}

TEST(HandRank, IsDenseAndPackedIncreases) {
  EXPECT_EQ(evaluate(0), 0);
  EXPECT_EQ(packed(0), 0U);
  const HandRank top = rank_of_text("As Ks Qs Js Ts");
  EXPECT_EQ(top, 2380 + 7462 - 1);
  for (int rank = 1; rank <= top; ++rank) {
    ASSERT_GT(packed(static_cast<HandRank>(rank)), packed(static_cast<HandRank>(rank - 1))) << rank;
  }
}

TEST(HandRank, PackedSpellsTheHandOut) {
  const auto packed_text = [](std::string_view cards) { return packed(rank_of_text(cards)); };
  EXPECT_EQ(packed_text("2s"), 0x010000U);
  EXPECT_EQ(packed_text("As 4d"), 0x0D3000U);
  EXPECT_EQ(packed_text("As Ad 5h"), 0x1D4000U);
  EXPECT_EQ(packed_text("7s 7d 2h 2c"), 0x261000U);
  EXPECT_EQ(packed_text("9s 9d 9h Kc 2c"), 0x38C100U);
  EXPECT_EQ(packed_text("As 2d 3h 4c 5c"), 0x440000U);
  EXPECT_EQ(packed_text("Qd Td 8d 4d 2d"), 0x5B9731U);
  EXPECT_EQ(packed_text("Qd Qs Qh 2d 2c"), 0x6B1000U);
  EXPECT_EQ(packed_text("3d 3s 3h 3c Ac"), 0x72D000U);
  EXPECT_EQ(packed_text("5d 4d 3d 2d Ad"), 0x840000U);
  EXPECT_EQ(packed_text("Ad Kd Qd Jd Td"), 0x9D0000U);
}

TEST(HandRank, TheSideWithMoreCardsWinsATie) {
  EXPECT_GT(rank_of_text("As 4d"), rank_of_text("Ah"));
  EXPECT_LT(rank_of_text("As Ad 5h"), rank_of_text("Ah Ac 5s 2d"));
  EXPECT_LT(rank_of_text("6s 6d Ah"), rank_of_text("6h 6c As 3d 2d"));
  // Only where all else ties.
  EXPECT_GT(rank_of_text("As 4d"), rank_of_text("Kh Qd Jc 9s 8s"));
  EXPECT_GT(rank_of_text("6s 6d Ah"), rank_of_text("6h 6c Ks Qd Jd"));
  EXPECT_GT(rank_of_text("7s 7d 7h"), rank_of_text("Ah Ac Ks Kd Qd"));
  EXPECT_GT(rank_of_text("2s 2d 2h 2c"), rank_of_text("As Ad Ah Ks Kd"));
}

TEST(HandRank, FourOfASuitOrInARowAreNothing) {
  EXPECT_EQ(category(rank_of_text("As Ks Qs Js")), HandCategory::kHighCard);
  EXPECT_EQ(category(rank_of_text("2s 3s 4s")), HandCategory::kHighCard);
  EXPECT_EQ(category(rank_of_text("As Ks Qs Js 9d")), HandCategory::kHighCard);
}

TEST(HandRank, TheAceIsLowInTheWheelOnly) {
  EXPECT_EQ(category(rank_of_text("As 2d 3h 4c 5c")), HandCategory::kStraight);
  EXPECT_EQ(first_rank(rank_of_text("As 2d 3h 4c 5c")), 3);
  EXPECT_LT(rank_of_text("As 2d 3h 4c 5c"), rank_of_text("2s 3d 4h 5c 6c"));
  EXPECT_LT(rank_of_text("As 2s 3s 4s 5s"), rank_of_text("2s 3s 4s 5s 6s"));
  EXPECT_GT(rank_of_text("As Kd Qh Jc Tc"), rank_of_text("Ks Qd Jh Tc 9c"));
  EXPECT_EQ(category(rank_of_text("Ks As 2d 3h 4c")), HandCategory::kHighCard);
  EXPECT_EQ(category(rank_of_text("Qs Ks As 2d 3h 4c Jd")), HandCategory::kHighCard);
}

TEST(HandRank, TheBestFiveOfSevenCount) {
  // Two trips make a full house, a third pair gives the kicker, a straight goes as high as it can.
  EXPECT_EQ(rank_of_text("9s 9d 9h 4s 4d 4h As"), rank_of_text("9s 9d 9h 4s 4d"));
  EXPECT_EQ(rank_of_text("9s 9d 7h 7s 4d 4h 2s"), rank_of_text("9s 9d 7h 7s 4d"));
  EXPECT_EQ(rank_of_text("9s 9d 9h 9c 4d 4h As"), rank_of_text("9s 9d 9h 9c As"));
  EXPECT_EQ(rank_of_text("As 2d 3h 4s 5d 6h 7s"), rank_of_text("3h 4s 5d 6h 7s"));
  EXPECT_EQ(rank_of_text("As Ks 9s 7s 5s 3s 2s"), rank_of_text("As Ks 9s 7s 5s"));
  EXPECT_EQ(rank_of_text("As 2s 3s 4s 5s 6d 7d"), rank_of_text("As 2s 3s 4s 5s"));
  EXPECT_EQ(rank_of_text("9s 9d 9h 2h 4h 5h 7h"), rank_of_text("9h 7h 5h 4h 2h"));
}

TEST(HandRank, SixAndSevenCardsAreTheBestOfFewerAndSuitsNeverMatter) {
  RandomStream random(1);
  const std::array<int, kSuits> turned = {2, 0, 3, 1};
  for (int i = 0; i < 100000; ++i) {
    for (int n = 6; n <= 7; ++n) {
      const CardSet hand = random_hand(random, n);
      const HandRank rank = evaluate(hand);
      // Six are the best of the six fives among them, seven of the seven sixes: 21 fives.
      ASSERT_EQ(rank, best_without_one(hand)) << to_string(hand);
      ASSERT_EQ(packed(rank), packed_reference(hand)) << to_string(hand);
      ASSERT_EQ(rank, evaluate(turn_suits(hand, turned))) << to_string(hand);
      if (n == 7) {
        ASSERT_EQ(rank, evaluate7(hand)) << to_string(hand);
      }
    }
  }
}

TEST(HandRank, DescribesInWords) {
  EXPECT_EQ(describe(0), "no cards");
  EXPECT_EQ(describe(rank_of_text("As 4d 2h")), "ace high");
  EXPECT_EQ(describe(rank_of_text("Ks Kd 2h")), "pair of kings");
  EXPECT_EQ(describe(rank_of_text("6s 6d 6h")), "trips of sixes");
  EXPECT_EQ(describe(rank_of_text("6s 6d 3h 3c")), "two pair, sixes and threes");
  EXPECT_EQ(describe(rank_of_text("As 2d 3h 4c 5c")), "straight, five high");
  EXPECT_EQ(describe(rank_of_text("Ad Td 8d 4d 2d")), "flush, ace high");
  EXPECT_EQ(describe(rank_of_text("Js Jd Jh 7c 7d")), "full house, jacks over sevens");
  EXPECT_EQ(describe(rank_of_text("2s 2d 2h 2c")), "quads of twos");
  EXPECT_EQ(describe(rank_of_text("9s 8s 7s 6s 5s")), "straight flush, nine high");
  EXPECT_EQ(describe(rank_of_text("As Ks Qs Js Ts")), "royal flush");
  EXPECT_EQ(to_string(HandCategory::kTwoPair), "two pair");
}

}  // namespace
}  // namespace dealer::hand_rank_test
