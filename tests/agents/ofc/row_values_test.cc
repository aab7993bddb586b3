#include "agents/ofc/row_values.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "agents/ofc/fantasyland.h"
#include "env/core/error.h"

namespace dealer::ofc::row_values_test {
namespace {

Board random_board(std::mt19937& random) {
  CardSet cards = 0;
  while (size(cards) < kMinFantasylandCards) cards |= bit(static_cast<Card>(random() % kCards));
  return solve_fantasyland(cards).board;
}

const Board kFoul = parse_board("As Ah Ad / Kd Kc 9h 8s 6h / Ks Kh 9d 9c 9s");

TEST(RowValuesTest, AreTheRowsOfThePairScore) {
  std::mt19937 random(1);
  std::vector<Board> opponents;
  opponents.reserve(100);
  for (int i = 0; i < 100; ++i) opponents.push_back(i % 10 == 0 ? kFoul : random_board(random));
  const RowValues rows = row_values_against(opponents);
  ASSERT_TRUE(rows.has_scoop());
  for (int i = 0; i < 200; ++i) {
    const BoardValue own = evaluate(random_board(random));
    std::array<double, kRows> expected{};
    double scoop = 0;
    for (const Board& opponent : opponents) {
      const PairScore score = pair_score(own, evaluate(opponent));
      for (std::size_t row = 0; row < kRows; ++row) expected[row] += score.rows[row] / 100.0;
      scoop += score.scoop / 100.0;
    }
    for (const Row row : {kFront, kMiddle, kBack}) EXPECT_NEAR(rows.value(row, own.rank[row]), expected[row], 1e-6);
    EXPECT_NEAR(rows.scoop(own.rank[kFront], own.rank[kMiddle], own.rank[kBack]), scoop, 1e-12);
    EXPECT_LE(scoop, rows.scoop_ceiling(own.rank[kMiddle], own.rank[kBack]) + 1e-12);
    EXPECT_LE(rows.scoop_ceiling(own.rank[kMiddle], own.rank[kBack]), rows.scoop_ceiling(own.rank[kBack]));
  }
}

TEST(RowValuesTest, AgainstAKnownBoardTheGoalIsTheScore) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const Board opponent = i == 0 ? kFoul : random_board(random);
    const RowValues rows = row_values_against(opponent);
    CardSet cards = 0;
    while (size(cards) < 14) cards |= bit(static_cast<Card>(random() % kCards));
    const Setting setting = solve_fantasyland(cards, {.rows = &rows});
    const BoardValue other = evaluate(opponent);
    const int best = score(evaluate(setting.board), other);
    EXPECT_EQ(setting.value, best + other.total());
    EXPECT_GE(best, score(evaluate(solve_fantasyland(cards).board), other));
  }
}

TEST(RowValuesTest, CeilingIsTheGreatestValueUpToTheRank) {
  std::vector<float> values(kHandRanks, -1);
  values[10] = 3;
  values[20] = 2;
  RowValues rows;
  rows.set(kMiddle, values);
  EXPECT_FALSE(rows.has_scoop());
  EXPECT_EQ(rows.value(kMiddle, 20), 2);
  EXPECT_EQ(rows.ceiling(kMiddle, 9), -1);
  EXPECT_EQ(rows.ceiling(kMiddle, 10), 3);
  EXPECT_EQ(rows.ceiling(kMiddle, kHandRanks - 1), 3);
  EXPECT_EQ(rows.value(kFront, 20), 0);
}

TEST(RowValuesTest, KnowsTheNumberOfRanks) { EXPECT_EQ(evaluate5(to_set(parse_cards("AsKsQsJsTs"))), kHandRanks - 1); }

TEST(RowValuesTest, RefusesWhatIsNoTableAndNoSample) {
  RowValues rows;
  std::vector<float> values(kHandRanks - 1);
  EXPECT_THROW(rows.set(kBack, values), UsageError);
  values.push_back(std::numeric_limits<float>::infinity());
  EXPECT_THROW(rows.set(kBack, values), UsageError);
  EXPECT_THROW(row_values_against(std::vector<Board>{}), UsageError);
  EXPECT_THROW(row_values_against(std::vector<Board>(kMaxSampledBoards + 1, kFoul)), UsageError);
}

}  // namespace
}  // namespace dealer::ofc::row_values_test
