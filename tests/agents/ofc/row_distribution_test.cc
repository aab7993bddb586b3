#include "agents/ofc/row_distribution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/agents/ofc/ofc_support.h"

namespace dealer::ofc::row_distribution_test {
namespace {

using test::cards;

// After an opening of these cards, with others seen elsewhere.
Live live_after(std::string_view own, std::string_view others, int street) {
  View view;
  view.discards = cards(own);
  view.board[1].row[kBack] = cards(others);
  view.street = street;
  return Live::after_turn(view, 0.6, 4);
}

double chance_of(const RowDistribution& distribution, HandCategory hand) {
  double sum = 0;
  for (int i = 0; i < distribution.count; ++i) {
    const RowEnd& end = distribution.ends[static_cast<std::size_t>(i)];
    if (category(end.rank) == hand) sum += static_cast<double>(end.chance);
  }
  return sum;
}

TEST(Live, CountsWhatMayStillCome) {
  const Live live = live_after("As Ks Qs Js 2d", "9s 8s 7s", 1);
  EXPECT_EQ(size(live.cards), 44);
  EXPECT_EQ(live.coming, 9);
  EXPECT_DOUBLE_EQ(live.chance, 0.6 * 9 / 44);
}

TEST(Live, AtLeastIsBinomial) {
  const Live live = live_after("As Ks Qs Js 2d", "", 0);
  const double p = live.chance, q = 1 - p;
  EXPECT_EQ(live.at_least(0, 4), 1);
  EXPECT_EQ(live.at_least(-1, 4), 1);
  EXPECT_EQ(live.at_least(3, 2), 0);
  EXPECT_NEAR(live.at_least(1, 4), 1 - std::pow(q, 4), 1e-12);
  EXPECT_NEAR(live.at_least(2, 3), 3 * p * p * q + p * p * p, 1e-12);
  EXPECT_NEAR(live.at_least(4, 4), std::pow(p, 4), 1e-12);
  EXPECT_EQ(live_after("As", "", 4).at_least(1, 13), 0);
}

TEST(RowDistribution, CompleteRowsAreExact) {
  const Live live = live_after("As", "", 1);
  for (const auto& [row, text] :
       {std::pair{kFront, "Ks Kd 2c"}, {kMiddle, "As Kd 9h 4c 2d"}, {kBack, "2s 5s 9s Js Ks"}}) {
    const RowDistribution distribution = row_distribution(row, cards(text), live);
    ASSERT_EQ(distribution.count, 1);
    EXPECT_EQ(distribution.ends[0].rank, dealer::evaluate(cards(text)));
    EXPECT_EQ(distribution.ends[0].chance, 1);
  }
}

// All rows of up to four cards drawn at random.
TEST(RowDistribution, IsADistributionFromStrongToWeak) {
  RandomStream rng(5);
  for (int trial = 0; trial < 20000; ++trial) {
    CardSet held = 0;
    const Row row = static_cast<Row>(rng.below(3));
    for (auto n = static_cast<int>(rng.below(static_cast<std::uint32_t>(kRowSize[row]) + 1)); size(held) < n;)
      held |= bit(static_cast<Card>(rng.below(kCards)));
    View view;
    view.board[0].row[row] = held;
    view.street = static_cast<int>(rng.below(5));
    const RowDistribution distribution = row_distribution(row, held, Live::after_turn(view, 0.6, 4));
    ASSERT_GE(distribution.count, 1);
    ASSERT_LE(distribution.count, kMaxRowEnds);
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(distribution.count); ++i) {
      EXPECT_GE(distribution.ends[i].chance, 0);
      sum += static_cast<double>(distribution.ends[i].chance);
      if (i > 0) {
        EXPECT_GE(distribution.ends[i - 1].rank, distribution.ends[i].rank);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-5) << dealer::to_string(held);
    EXPECT_EQ(distribution.ends[static_cast<std::size_t>(distribution.count - 1)].rank, dealer::evaluate(held))
        << dealer::to_string(held);
  }
}

TEST(RowDistribution, NoMoreCardsNoMoreHopes) {
  const RowDistribution distribution = row_distribution(kBack, cards("As Ks Qs Js"), live_after("As Ks Qs Js", "", 4));
  EXPECT_EQ(chance_of(distribution, HandCategory::kHighCard), 1);
}

TEST(RowDistribution, DeadCardsKillDraws) {
  const CardSet flush = cards("As 9s 5s 3s");
  const auto chance = [&](std::string_view dead) {
    return chance_of(row_distribution(kBack, flush, live_after("As 9s 5s 3s", dead, 2)), HandCategory::kFlush);
  };
  EXPECT_GT(chance(""), chance("Ks Qs Js"));
  EXPECT_GT(chance("Ks Qs Js"), 0.2);
  EXPECT_EQ(chance("Ks Qs Js Ts 8s 7s 6s 4s 2s"), 0);

  const auto trips = [&](std::string_view dead) {
    return chance_of(row_distribution(kFront, cards("Qs Qd"), live_after("Qs Qd", dead, 1)), HandCategory::kTrips);
  };
  EXPECT_GT(trips(""), trips("Qh"));
  EXPECT_EQ(trips("Qh Qc"), 0);
}

TEST(RowDistribution, DrawsAreOfTheRightKind) {
  const Live live = live_after("2d", "", 1);
  const RowDistribution open = row_distribution(kMiddle, cards("9s 8d 7h 6c"), live);
  const RowDistribution gutshot = row_distribution(kMiddle, cards("Ts 8d 7h 6c"), live);
  EXPECT_GT(chance_of(open, HandCategory::kStraight), 1.5 * chance_of(gutshot, HandCategory::kStraight));
  EXPECT_EQ(chance_of(open, HandCategory::kFlush), 0);
  // Two pair in four cards can become a full house and nothing else.
  const RowDistribution two_pair = row_distribution(kBack, cards("9s 9d 4h 4c"), live);
  EXPECT_GT(chance_of(two_pair, HandCategory::kFullHouse), 0.2);
  EXPECT_NEAR(chance_of(two_pair, HandCategory::kFullHouse) + chance_of(two_pair, HandCategory::kTwoPair), 1, 1e-6);
  const RowDistribution trips = row_distribution(kBack, cards("9s 9d 9h 4c"), live);
  EXPECT_GT(chance_of(trips, HandCategory::kQuads), 0.05);
  const RowDistribution royal = row_distribution(kBack, cards("As Ks Qs Js"), live);
  EXPECT_GT(chance_of(royal, HandCategory::kRoyalFlush), 0.05);
}

}  // namespace
}  // namespace dealer::ofc::row_distribution_test
