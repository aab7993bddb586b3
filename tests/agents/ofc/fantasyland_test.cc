#include "agents/ofc/fantasyland.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "env/core/error.h"

namespace dealer::ofc::fantasyland_test {
namespace {

class Hands {
 public:
  explicit Hands(unsigned seed) : random_(seed) {}

  CardSet deal(int count, CardSet from = kFullDeck) {
    CardSet cards = 0;
    while (size(cards) < count) cards |= bit(static_cast<Card>(random_() % kCards)) & from;
    return cards;
  }
  // From seven ranks or two suits: everything made, and tied in many ways.
  CardSet deal_rich(int count) {
    if (random_() % 2 == 0) return deal(count, suit_mask(0) | suit_mask(static_cast<int>(1 + random_() % 3)));
    CardSet from = 0;
    while (size(from) < 28) from |= CardSet{0xF} << (4 * (random_() % kRanks));
    return deal(count, from);
  }
  Board board() {
    Board board;
    for (const Row row : {kFront, kMiddle, kBack}) board.row[row] = deal(kRowSize[row], kFullDeck & ~board.cards());
    return board;
  }
  // A quarter of random boards, nearly all fouls, and otherwise good ones. A power of two, so that all values are
  // exact.
  std::vector<Board> sample(std::size_t count) {
    std::vector<Board> boards;
    while (boards.size() < count) {
      boards.push_back(random_() % 4 == 0 ? board() : solve_fantasyland(deal(13)).board);
    }
    return boards;
  }
  float sixteenths() { return static_cast<float>(static_cast<int>(random_() % 65) - 32) / 16; }

 private:
  std::mt19937 random_;
};

void expect_consistent(const Setting& setting, CardSet cards, const FantasylandGoal& goal) {
  ASSERT_TRUE(setting.board.complete()) << to_string(cards);
  ASSERT_EQ(setting.board.cards() | setting.discards, cards);
  ASSERT_EQ(setting.board.cards() & setting.discards, 0U);
  ASSERT_EQ(size(setting.board.cards()), kBoardCards);
  const BoardValue value = evaluate(setting.board, *goal.rules);
  ASSERT_FALSE(value.foul) << to_string(setting.board);
  ASSERT_EQ(setting.royalties, value.total());
  ASSERT_EQ(setting.stays, value.stays);
}

void expect_best(CardSet cards, const FantasylandGoal& goal) {
  const Setting setting = solve_fantasyland(cards, goal);
  const Setting reference = solve_fantasyland_reference(cards, goal);
  expect_consistent(setting, cards, goal);
  ASSERT_EQ(setting.value, reference.value) << to_string(cards) << ": " << to_string(setting.board);
  ASSERT_EQ(setting.board, reference.board)
      << to_string(cards) << ": " << to_string(setting.board) << " not " << to_string(reference.board);
}

TEST(FantasylandTest, EqualsTryingEverySettingOfFourteenCards) {
  Hands hands(1);
  for (const double stay_value : {0.0, 10.0, 3.5, -4.0}) {
    for (int i = 0; i < 25; ++i) expect_best(hands.deal(14), {.stay_value = stay_value});
    for (int i = 0; i < 15; ++i) expect_best(hands.deal_rich(14), {.stay_value = stay_value});
  }
}

TEST(FantasylandTest, EqualsTryingEverySettingAgainstOpponents) {
  Hands hands(2);
  for (const std::size_t count : {1U, 2U, 64U, 128U}) {
    const RowValues rows = row_values_against(hands.sample(count));
    for (int i = 0; i < 15; ++i) expect_best(hands.deal(14), {.stay_value = i % 2 * 8.0, .rows = &rows});
    for (int i = 0; i < 10; ++i) expect_best(hands.deal_rich(14), {.stay_value = i % 2 * 8.0, .rows = &rows});
  }
}

TEST(FantasylandTest, EqualsTryingEverySettingForAnyRowValues) {
  Hands hands(3);
  for (int i = 0; i < 30; ++i) {
    RowValues rows;
    for (const Row row : {kFront, kMiddle, kBack}) {
      std::vector<float> values(kHandRanks);
      for (float& value : values) value = hands.sixteenths();
      rows.set(row, values);
    }
    expect_best(i % 2 == 0 ? hands.deal(14) : hands.deal_rich(14), {.stay_value = i % 3 * 4.0, .rows = &rows});
  }
}

TEST(FantasylandTest, EqualsTryingEverySettingUnderOtherRules) {
  Hands hands(4);
  Rules rules;
  rules.royalties.middle = {1, 0, 3, 2, 9, 8, 1, 20, 30, 0};
  rules.royalties.back = {0, 2, 5, 0, 2, 1, 6, 10, 5, 25};
  rules.royalties.front_pair[0] = 12;
  rules.royalties.front_trips[7] = 0;
  rules.bonus.stay_trips_rank = 5;
  rules.bonus.stay_back = HandCategory::kTwoPair;
  rules.bonus.scoop = -2;
  const RowValues rows = row_values_against(hands.sample(32), rules.bonus);
  for (int i = 0; i < 30; ++i) {
    expect_best(i % 2 == 0 ? hands.deal(14) : hands.deal_rich(14),
                {.stay_value = i % 3 * 4.0, .rows = i % 5 < 2 ? &rows : nullptr, .rules = &rules});
  }
}

TEST(FantasylandTest, EqualsTryingEverySettingOfThirteenToSixteenCards) {
  Hands hands(5);
  const RowValues rows = row_values_against(hands.sample(64));
  for (const auto& [cards, count] : {std::pair{13, 60}, {15, 6}, {16, 2}}) {
    for (int i = 0; i < count; ++i) {
      const FantasylandGoal goal{.stay_value = 9, .rows = i % 2 == 0 ? &rows : nullptr};
      expect_best(hands.deal(cards), goal);
      expect_best(hands.deal_rich(cards), goal);
    }
  }
}

TEST(FantasylandTest, EqualsTryingEverySettingOfSeventeenCards) { expect_best(Hands(6).deal(17), {.stay_value = 9}); }

TEST(FantasylandTest, MoreCardsAreNeverWorse) {
  Hands hands(7);
  for (int i = 0; i < 300; ++i) {
    CardSet cards = hands.deal(13);
    double before = -1;
    while (size(cards) <= kMaxFantasylandCards) {
      const FantasylandGoal goal{.stay_value = 9};
      const Setting setting = solve_fantasyland(cards, goal);
      expect_consistent(setting, cards, goal);
      ASSERT_GE(setting.value, before);
      before = setting.value;
      cards |= hands.deal(1, kFullDeck & ~cards);
    }
  }
}

TEST(FantasylandTest, MeanRoyaltyIsThatOfAMillionHands) {
  Hands hands(8);
  double sum = 0;
  const int count = 20000;
  for (int i = 0; i < count; ++i) sum += solve_fantasyland(hands.deal(14)).royalties;
  // A million other hands: 12.378, standard error 0.006. One hand's standard deviation is 5.5.
  EXPECT_NEAR(sum / count, 12.378, 0.12);
}

Setting solve(std::string_view cards, double stay_value = 0) {
  return solve_fantasyland(to_set(parse_cards(cards)), {.stay_value = stay_value});
}

TEST(FantasylandTest, SetsTripsInFront) {
  const Setting setting = solve("As Ks Qs Js Ts 9h 9d 9c 4h 4d 2s 2h 2d 7c");
  EXPECT_EQ(to_string(setting.board), "9c 9d 9h / 4d 4h 2d 2h 2s / As Ks Qs Js Ts");
  EXPECT_EQ(setting.royalties, 17 + 12 + 25);
  EXPECT_TRUE(setting.stays);
  EXPECT_EQ(setting.discards, bit(parse_card("7c")));
}

TEST(FantasylandTest, GivesUpRoyaltiesForWhatStayingIsWorth) {
  const std::string_view cards = "As Kc Kd Kh Ks Qs 9h 8d 6c 6h 5c 4s 2c 2s";
  const Setting greedy = solve(cards, 3.99), staying = solve(cards, 4.01);
  EXPECT_EQ(to_string(greedy.board), "9h 8d 5c / As Ks Qs 4s 2s / Kc Kd Kh 6c 6h");
  EXPECT_EQ(greedy.royalties, 14);
  EXPECT_FALSE(greedy.stays);
  EXPECT_EQ(greedy.value, 14);
  EXPECT_EQ(to_string(staying.board), "9h 8d 5c / Qs 6c 6h 2c 2s / As Kc Kd Kh Ks");
  EXPECT_EQ(staying.royalties, 10);
  EXPECT_TRUE(staying.stays);
  EXPECT_DOUBLE_EQ(staying.value, 14.01);
}

TEST(FantasylandTest, OfEqualValuesTakesTheStrongestBack) {
  EXPECT_TRUE(solve("As Kc Kd Kh Ks Qs 9h 8d 6c 6h 5c 4s 2c 2s", 4).stays);
  // Nothing pays here: strength alone decides, from the back.
  const Setting setting = solve("As Kh Qd Jc 9s 8h 7d 6c 4s 4h 3d 3c 2s 2h");
  EXPECT_EQ(setting.value, 0);
  EXPECT_EQ(to_string(setting.board), "9s 8h 7d / Kh Qd Jc 2h 2s / As 4h 4s 3c 3d");
}

TEST(FantasylandTest, RefusesOtherNumbersOfCards) {
  Hands hands(9);
  for (const int count : {0, 12, 18, 52}) {
    EXPECT_THROW(solve_fantasyland(hands.deal(count)), UsageError);
    EXPECT_THROW(solve_fantasyland_reference(hands.deal(count)), UsageError);
  }
}

}  // namespace
}  // namespace dealer::ofc::fantasyland_test
