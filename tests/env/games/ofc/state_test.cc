// The procedure of section 3 of docs/rules, a rule at a time. Positions are set up through the observation: what it
// says is placed as it says, the rest is dealt at random.
#include "env/games/ofc/state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/env/harness/random_play.h"

namespace dealer::ofc::state_test {
namespace {

using Flags = std::array<bool, kMaxSeats>;

GameRules rules_for(int players, Episode episode = Episode::kChain) {
  GameRules rules;
  rules.players = players;
  rules.episode = episode;
  return rules;
}

State dealt(const GameRules& rules, Flags fantasyland, int dealer, std::uint64_t seed = 1) {
  State state;
  state.deal(rules, seed, fantasyland, dealer);
  return state;
}

void finish_turn(State& state, RandomStream& rng) {
  const Seat seat = state.current_player();
  const int street = state.street(), hands = state.hands_finished();
  while (state.current_player() == seat && state.street() == street && state.hands_finished() == hands)
    state.apply(test::random_action(state.legal_mask(), rng));
}

TEST(OfcTurns, GoFromTheDealersLeftFiveCardsThenFourTimesThree) {
  for (const int players : {2, 3})
    for (int dealer = 0; dealer < players; ++dealer) {
      const GameRules rules = rules_for(players, Episode::kHand);
      State state = dealt(rules, {}, dealer);
      RandomStream rng(2);
      for (int street = 0; street < 5; ++street)
        for (int i = 1; i <= players; ++i) {
          const Seat seat = (dealer + i) % players;
          ASSERT_EQ(state.current_player(), seat);
          ASSERT_EQ(state.street(), street);
          EXPECT_EQ(size(state.hand(seat)), street == 0 ? 5 : 3);
          const View view = state.view(seat);
          EXPECT_EQ(view.places_left, street == 0 ? 5 : 2);
          EXPECT_EQ(view.discards_left, street == 0 ? 0 : 1);
          finish_turn(state, rng);
        }
      EXPECT_EQ(state.current_player(), kTerminal);
      for (Seat seat = 0; seat < players; ++seat) EXPECT_TRUE(state.board(seat).complete());
    }
}

TEST(OfcTurns, PlacedCardsStayWhereTheyAre) {
  const GameRules rules = rules_for(3, Episode::kHand);
  State state = dealt(rules, {}, 0);
  RandomStream rng(3);
  std::array<Board, 3> last{};
  while (state.current_player() != kTerminal) {
    state.apply(test::random_action(state.legal_mask(), rng));
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t row = 0; row < kRows; ++row)
        EXPECT_EQ(state.board(static_cast<Seat>(s)).row[row] & last[s].row[row], last[s].row[row]);
      last[s] = state.board(static_cast<Seat>(s));
    }
  }
}

TEST(OfcTurns, TheLowestCardIsPlacedFirst) {
  const GameRules rules = rules_for(2);
  State state = dealt(rules, {}, 0);
  const Card first = lowest(state.hand(1));
  state.apply(kToMiddle);
  EXPECT_EQ(state.board(1).row[kMiddle], bit(first));
}

TEST(OfcTurns, OthersSeeCardsOnlyWhenTheTurnIsOver) {
  const GameRules rules = rules_for(3);
  State state = dealt(rules, {}, 2);
  RandomStream rng(4);
  for (int turn = 0; turn < 15; ++turn) {
    const Seat seat = state.current_player();
    const View before = state.view((seat + 1) % 3);
    const int hands = state.hands_finished();
    const CardSet hand = state.hand(seat);
    while (state.current_player() == seat && state.hands_finished() == hands) {
      for (const Seat other : {(seat + 1) % 3, (seat + 2) % 3}) {
        const View view = state.view(other);
        const auto rel = static_cast<std::size_t>((seat - other + 3) % 3);
        EXPECT_EQ(view.seen() & hand, 0U);
        if (other == (seat + 1) % 3) {
          EXPECT_TRUE(view.board[rel] == before.board[rel]);
        }
      }
      state.apply(test::random_action(state.legal_mask(), rng));
    }
    if (turn == 14) break;
    const View after = state.view((seat + 1) % 3);
    EXPECT_TRUE(after.board[2] == state.board(seat));
    EXPECT_EQ(size(after.board[2].cards() & hand), turn < 3 ? 5 : 2);
  }
}

TEST(OfcTurns, DiscardsAreNeverSeenByOthers) {
  const GameRules rules = rules_for(2, Episode::kHand);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State state = dealt(rules, {}, 0, seed);
    RandomStream rng(seed);
    while (true) {
      for (const Seat seat : {0, 1}) {
        EXPECT_EQ(state.view(1 - seat).seen() & state.discards(seat), 0U);
        EXPECT_EQ(state.view(seat).discards, state.discards(seat));
      }
      if (state.current_player() == kTerminal) break;
      state.apply(test::random_action(state.legal_mask(), rng));
    }
    EXPECT_EQ(size(state.discards(0)), 4);
    EXPECT_EQ(size(state.discards(1)), 4);
  }
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

TEST(OfcFantasyland, GetsAllCardsAtOnceInTurnOrder) {
  for (int count = 13; count <= 17; ++count) {
    GameRules rules = rules_for(3, Episode::kHand);
    rules.fantasyland_cards = count;
    State state = dealt(rules, {false, true, false}, 0);
    RandomStream rng(5);
    ASSERT_EQ(state.current_player(), 1);
    EXPECT_EQ(size(state.hand(1)), count);
    EXPECT_EQ(state.view(1).discards_left, count - 13);
    finish_turn(state, rng);
    EXPECT_TRUE(state.board(1).complete());
    EXPECT_EQ(size(state.discards(1)), count - 13);
    // The others play five streets without it.
    for (int street = 0; street < 5; ++street)
      for (const Seat seat : {2, 0}) {
        ASSERT_EQ(state.current_player(), seat);
        ASSERT_EQ(state.street(), street);
        finish_turn(state, rng);
      }
    EXPECT_EQ(state.current_player(), kTerminal);
  }
}

TEST(OfcFantasyland, NobodySeesABoardBeforeTheShowdown) {
  const GameRules rules = rules_for(3, Episode::kHand);
  for (const Flags fantasyland : {Flags{true, false, false}, Flags{true, true, false}, Flags{true, true, true}}) {
    State state = dealt(rules, fantasyland, 2);
    RandomStream rng(6);
    while (state.current_player() != kTerminal) {
      for (Seat owner = 0; owner < 3; ++owner)
        for (Seat observer = 0; observer < 3; ++observer) {
          if (owner == observer || !state.in_fantasyland(owner)) continue;
          const View view = state.view(observer);
          EXPECT_EQ(view.board[(owner - observer + 3) % 3].cards(), 0U);
          EXPECT_EQ(view.seen() & (state.hand(owner) | state.board(owner).cards()), 0U);
        }
      state.apply(test::random_action(state.legal_mask(), rng));
    }
    for (Seat owner = 0; owner < 3; ++owner)
      for (Seat observer = 0; observer < 3; ++observer)
        EXPECT_TRUE(state.view(observer).board[(owner - observer + 3) % 3] == state.board(owner));
  }
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

TEST(OfcFantasyland, WhenAllAreThereTheHandHasOneStreet) {
  const GameRules rules = rules_for(2, Episode::kHand);
  State state = dealt(rules, {true, true, false}, 0);
  RandomStream rng(8);
  finish_turn(state, rng);
  finish_turn(state, rng);
  EXPECT_EQ(state.current_player(), kTerminal);
  EXPECT_EQ(state.hands_finished(), 1);
  EXPECT_TRUE(state.valid());
}

}  // namespace
}  // namespace dealer::ofc::state_test
