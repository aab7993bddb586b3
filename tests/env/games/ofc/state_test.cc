// What happens within a turn, a rule at a time. Who acts when, with how many cards, and what everybody sees of it is
// checked against a referee, over many hands (referee_test.cc).
#include <gtest/gtest.h>

#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"

namespace dealer::ofc::state_test {
namespace {

void finish_turn(State& state, RandomStream& rng) {
  const Seat seat = state.current_player();
  const int street = state.street(), hands = state.hands_finished();
  while (state.current_player() == seat && state.street() == street && state.hands_finished() == hands)
    state.apply(test::random_action(state.legal_mask(), rng));
}

TEST(OfcTurns, TheLowestCardIsPlacedFirst) {
  const GameRules rules = rules_for(2);
  State state = dealt(rules, {}, 0);
  const Card first = lowest(state.hand(1));
  state.apply(kToMiddle);
  EXPECT_EQ(state.board(1).row[kMiddle], bit(first));
}

TEST(OfcTurns, MovesWithoutAChoiceAreMadeByTheGame) {
  const GameRules rules = rules_for(2);
  State state = dealt(rules, {}, 0);
  const CardSet opening = state.hand(1);
  // Three in front, one in the middle: the front is full, the fifth card still has two rows.
  for (const Action action : {kToFront, kToFront, kToFront}) state.apply(action);
  EXPECT_EQ(state.legal_mask(), 6U);
  state.apply(kToMiddle);
  state.apply(kToBack);
  EXPECT_EQ(state.board(1).cards(), opening);
  for (const Action action : {kToMiddle, kToMiddle, kToMiddle, kToBack, kToBack}) state.apply(action);
  // Of three cards two are placed: the third is discarded unasked.
  ASSERT_EQ(state.current_player(), 1);
  EXPECT_EQ(state.legal_mask(), 8U | 6U);
  const CardSet hand = state.hand(1);
  state.apply(kToMiddle);
  state.apply(kToMiddle);
  ASSERT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.discards(1), hand & ~state.board(1).cards());
  EXPECT_EQ(size(state.discards(1)), 1);
}

TEST(OfcTurns, WithOneRowLeftTheDiscardDecidesEverything) {
  const GameRules rules = rules_for(2);
  State state = dealt(rules, {}, 0);
  const auto play = [&](std::initializer_list<Action> actions) {
    for (const Action action : actions) state.apply(action);
  };
  play({kToFront, kToFront, kToFront, kToMiddle, kToMiddle});
  play({kToMiddle, kToMiddle, kToMiddle, kToMiddle, kToMiddle});  // seat 0
  play({kToMiddle, kToMiddle});
  play({kToBack, kToBack});  // seat 0
  play({kToMiddle, kToBack});
  play({kToBack, kToBack});  // seat 0
  ASSERT_EQ(state.current_player(), 1);
  EXPECT_EQ(state.legal_mask(), 8U | 4U);
  const CardSet hand = state.hand(1);
  state.apply(kToDiscard);  // only the back is open: both others go there
  ASSERT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.board(1).row[kBack] & hand, hand & (hand - 1));
  EXPECT_EQ(state.discards(1) & hand, hand & ~(hand - 1));
}

TEST(OfcFantasyland, IsSetWithoutSeeingTheOthers) {
  const GameRules rules = rules_for(2);
  State state = dealt(rules, {true, false, false}, 0);
  RandomStream rng(7);
  ASSERT_EQ(state.current_player(), 1);
  finish_turn(state, rng);
  EXPECT_EQ(size(state.board(1).cards()), 5);
  ASSERT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.view(0).board[1].cards(), 0U) << "seen before the own hand was set";
  finish_turn(state, rng);
  EXPECT_EQ(state.view(0).board[1].cards(), state.board(1).cards());
}

}  // namespace
}  // namespace dealer::ofc::state_test
