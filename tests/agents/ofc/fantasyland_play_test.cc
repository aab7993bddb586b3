#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "agents/ofc/turn_agent.h"
#include "env/core/random.h"

namespace dealer::ofc::fantasyland_play_test {
namespace {

CardSet random_cards(RandomStream& rng, int count) {
  CardSet cards = 0;
  while (size(cards) < count) cards |= bit(static_cast<Card>(rng.below(kCards)));
  return cards;
}

// The value of the best setting that leaves the placed cards where they are, card by card without any thought; minus
// infinity when all are fouls.
double brute_force(const Board& board, CardSet hand, int discards, const FantasylandGoal& goal) {
  if (hand == 0) {
    const BoardValue value = evaluate(board, *goal.rules);
    if (value.foul) return -std::numeric_limits<double>::infinity();
    return value.total() + (value.stays ? goal.stay_value : 0);
  }
  double best = -std::numeric_limits<double>::infinity();
  const CardSet card = hand & -hand;
  for (const Row row : {kFront, kMiddle, kBack}) {
    if (board.room(row) == 0) continue;
    Board next = board;
    next.row[row] |= card;
    best = std::max(best, brute_force(next, hand ^ card, discards, goal));
  }
  return discards > 0 ? std::max(best, brute_force(board, hand ^ card, discards - 1, goal)) : best;
}

TEST(FantasylandPlay, AFreshHandIsTheSolversBest) {
  RandomStream rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = random_cards(rng, 13 + static_cast<int>(rng.below(5)));
    const FantasylandGoal goal{.stay_value = 9};
    const MacroAction plan = plan_fantasyland(view, goal);
    EXPECT_TRUE(plan.fits(view.board[0], view.discards, view.hand));
    EXPECT_EQ(plan.board(), solve_fantasyland(view.hand, goal).board);
    EXPECT_EQ(plan.discards(), view.hand & ~plan.board().cards());
  }
}

// Cards that somebody else has put anywhere: the rest is still set as well as can be.
TEST(FantasylandPlay, AHandBegunByOthersIsFinishedBest) {
  RandomStream rng(2);
  int fouls = 0, detours = 0;
  for (int trial = 0; trial < 300; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = random_cards(rng, 14);
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
    const double best = brute_force(view.board[0], view.hand, discards, goal);
    const BoardValue value = evaluate(plan.board());
    if (value.foul) {
      EXPECT_EQ(best, -std::numeric_limits<double>::infinity());
      ++fouls;
    } else {
      EXPECT_EQ(value.total() + (value.stays ? goal.stay_value : 0), best);
      detours += plan.board() == solve_fantasyland(all, goal).board ? 0 : 1;
    }
  }
  EXPECT_GT(fouls, 10);
  EXPECT_GT(detours, 100);
}

// Row values with a scoop steer the rest of a hand, too.
TEST(FantasylandPlay, FinishesForTheRowsAsWell) {
  const Board opponent = parse_board("Qs Qd 3h / 9h 9s 9d 4c 2s / Ah Kh 8h 5h 3c");
  const RowValues rows = row_values_against(opponent);
  const FantasylandGoal goal{.stay_value = 0, .rows = &rows};
  RandomStream rng(3);
  for (int trial = 0; trial < 30; ++trial) {
    View view;
    view.fantasyland[0] = true;
    view.hand = random_cards(rng, 14);
    for (int i = 0; i < 3; ++i) {
      view.board[0].row[kFront] |= view.hand & -view.hand;
      view.hand &= view.hand - 1;
    }
    double best = -std::numeric_limits<double>::infinity();
    const auto value_of = [&](const Board& board) {
      const BoardValue own = evaluate(board);
      return own.foul ? -100.0 : own.total() + rows_score(own, evaluate(opponent), kStandardRules.bonus);
    };
    // Lowest three in front; every back, every middle of the rest, one left over.
    std::vector<Card> rest;
    for_each(view.hand, [&](Card card) { rest.push_back(card); });
    std::vector<int> row_of = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
    do {
      Board board = view.board[0];
      for (std::size_t i = 0; i < rest.size(); ++i)
        if (row_of[i] > 0) board.row[static_cast<std::size_t>(row_of[i])] |= bit(rest[i]);
      best = std::max(best, value_of(board));
    } while (std::next_permutation(row_of.begin(), row_of.end()));
    EXPECT_NEAR(value_of(plan_fantasyland(view, goal).board()), best, 1e-5);
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
}  // namespace dealer::ofc::fantasyland_play_test
