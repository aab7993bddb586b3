#include "agents/ofc/fantasyland.h"

#include "agents/ofc/turn_agent.h"
#include "tests/support/cards.h"
#include "tests/support/testing.h"

namespace dealer::ofc::fantasyland_test {
namespace {

class Hands {
 public:
  explicit Hands(unsigned seed) : random_(seed) {}

  CardSet deal(int count, CardSet from = kFullDeck) { return test::random_cards(random_, count, from); }
  // Cards of seven ranks or two suits: everything is made, with many ties.
  CardSet deal_rich(int count) {
    if (random_.below(2) == 0) return deal(count, suit_mask(0) | suit_mask(static_cast<int>(1 + random_.below(3))));
    CardSet from = 0;
    while (size(from) < 28) from |= CardSet{0xF} << (4 * random_.below(kRanks));
    return deal(count, from);
  }
  Board board() {
    Board board;
    for (const Row row : {kFront, kMiddle, kBack}) board.row[row] = deal(kRowSize[row], kFullDeck & ~board.cards());
    return board;
  }
  // A quarter of random boards, nearly all fouls, and the rest good ones. The count is a power of
  // two, so that all values are exact.
  std::vector<Board> sample(std::size_t count) {
    std::vector<Board> boards;
    while (boards.size() < count) boards.push_back(random_.below(4) == 0 ? board() : solve_fantasyland(deal(13)).board);
    return boards;
  }
  float sixteenths() { return static_cast<float>(static_cast<int>(random_.below(65)) - 32) / 16; }

 private:
  RandomStream random_;
};

void expect_best(CardSet cards, const FantasylandGoal& goal) {
  const Setting setting = solve_fantasyland(cards, goal), reference = solve_fantasyland_reference(cards, goal);
  const BoardValue value = evaluate(setting.board, *goal.rules);
  ASSERT_TRUE(setting.board.complete() && !value.foul) << to_string(cards);
  ASSERT_EQ(setting.board.cards() ^ setting.discards, cards);
  ASSERT_EQ(setting.royalties, value.total());
  ASSERT_EQ(setting.stays, value.stays != 0);
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
  for (int i = 0; i < 30; ++i)
    expect_best(i % 2 == 0 ? hands.deal(14) : hands.deal_rich(14),
                {.stay_value = i % 3 * 4.0, .rows = i % 5 < 2 ? &rows : nullptr, .rules = &rules});
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

Setting solve(std::string_view cards, double stay_value = 0) {
  return solve_fantasyland(to_set(parse_cards(cards)), {.stay_value = stay_value});
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
  // Without any royalties strength alone decides, starting from the back.
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

// The maximum value of a setting that keeps the placed cards, by brute force.
using Worth = std::function<double(const BoardValue&)>;
double brute_force(const Board& board, CardSet hand, int discards, const Worth& worth) {
  if (hand == 0) return worth(evaluate(board));
  double best = -std::numeric_limits<double>::infinity();
  const CardSet card = hand & -hand;
  for (const Row row : {kFront, kMiddle, kBack}) {
    if (board.room(row) == 0) continue;
    Board next = board;
    next.row[row] |= card;
    best = std::max(best, brute_force(next, hand ^ card, discards, worth));
  }
  return discards > 0 ? std::max(best, brute_force(board, hand ^ card, discards - 1, worth)) : best;
}

TEST(FantasylandPlay, AFreshHandIsTheSolversBest) {
  RandomStream rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = test::random_cards(rng, 13 + static_cast<int>(rng.below(5)));
    const FantasylandGoal goal{.stay_value = 9};
    const MacroAction plan = plan_fantasyland(view, goal);
    EXPECT_TRUE(plan.fits(view.board[0], view.discards, view.hand));
    EXPECT_EQ(plan.board(), solve_fantasyland(view.hand, goal).board);
    EXPECT_EQ(plan.discards(), view.hand & ~plan.board().cards());
  }
}

// Arbitrarily placed cards of another player: the rest is still set optimally.
TEST(FantasylandPlay, AHandBegunByOthersIsFinishedBest) {
  RandomStream rng(2);
  int fouls = 0, detours = 0;
  for (int trial = 0; trial < 300; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = test::random_cards(rng, 14);
    const CardSet all = view.hand;
    int discards = 1;
    for (auto moved = 5 + rng.below(6); moved > 0; --moved) {
      const CardSet card = view.hand & -view.hand;
      const auto row = static_cast<Row>(rng.below(3));
      if (view.board[0].room(row) > 0) {
        view.board[0].row[row] |= card;
      } else if (discards > 0) {
        view.discards |= card;
        --discards;
      } else {
        continue;
      }
      view.hand ^= card;
    }
    const FantasylandGoal goal{.stay_value = 9};
    const MacroAction plan = plan_fantasyland(view, goal);
    ASSERT_TRUE(plan.fits(view.board[0], view.discards, view.hand));
    ASSERT_TRUE(plan.board().complete());
    EXPECT_EQ(plan.board().cards() | plan.discards(), all);
    const auto worth = [&](const BoardValue& value) {
      return value.foul ? -100 : value.total() + (value.stays ? goal.stay_value : 0);
    };
    EXPECT_EQ(worth(evaluate(plan.board())), brute_force(view.board[0], view.hand, discards, worth));
    fouls += evaluate(plan.board()).foul ? 1 : 0;
    detours += plan.board() == solve_fantasyland(all, goal).board ? 0 : 1;
  }
  EXPECT_GT(fouls, 10);
  EXPECT_GT(detours - fouls, 100);
}

TEST(FantasylandPlay, FinishesForTheRowsAsWell) {
  const Board opponent = parse_board("Qs Qd 3h / 9h 9s 9d 4c 2s / Ah Kh 8h 5h 3c");
  const RowValues rows = row_values_against(opponent);
  const FantasylandGoal goal{.stay_value = 0, .rows = &rows};
  RandomStream rng(3);
  for (int trial = 0; trial < 30; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = test::random_cards(rng, 14);
    for (int i = 0; i < 3; ++i) {
      view.board[0].row[kFront] |= view.hand & -view.hand;
      view.hand &= view.hand - 1;
    }
    const auto worth = [&](const BoardValue& own) {
      return own.foul ? -100.0 : own.total() + rows_score(own, evaluate(opponent), kStandardRules.bonus);
    };
    const Board best = plan_fantasyland(view, goal).board();
    EXPECT_NEAR(worth(evaluate(best)), brute_force(view.board[0], view.hand, 1, worth), 1e-5);
  }
}

TEST(FantasylandPlay, StayingIsWorthNothingWhenTheEpisodeEnds) {
  GameRules rules;
  EXPECT_GT(usual_stay_value(rules, 1), 5);
  EXPECT_EQ(usual_stay_value(rules, 2), 2 * usual_stay_value(rules, 1));
  rules.episode = Episode::kHand;
  EXPECT_EQ(usual_stay_value(rules, 1), 0);
}

}  // namespace
}  // namespace dealer::ofc::fantasyland_test
