// Who opens, the bring-in, the shared card (docs/rules/stud.md).
#include <gtest/gtest.h>

#include "tests/env/games/poker/table.h"

namespace dealer::poker::stud_test {
namespace {

const GameRules& stud() {
  static const GameRules kRules = rules_of("procedure: stud\nplayers: 3\n");
  return kRules;
}
const GameRules& razz() {
  static const GameRules kRules = rules_of("procedure: stud\nplayers: 3\nranking: ace_to_five\n");
  return kRules;
}

// Up cards only, the others are what is left; everybody has checked before the last of them.
State up_cards(const GameRules& rules, const std::vector<std::string>& up, int dealer = 0) {
  Script script;
  script.dealer = dealer;
  script.in = static_cast<SeatSet>((1U << rules.players) - 1);
  std::fill_n(script.chips.begin(), rules.players, rules.stack);
  for (std::size_t seat = 0; seat < up.size(); ++seat) {
    const std::vector<CardId> cards = rules.deck->parse(up[seat]);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      script.player[seat].up[i].push_back(cards[i]);
      if (i > 0) script.player[seat].bets[i - 1].push_back({kCall, 0});
    }
  }
  script.seed = 3;
  fill(rules, script);
  return play_script(rules, script);
}

State to_street(State state, int street) {
  while (state.street() < street) state.apply(kCall);
  return state;
}

TEST(Stud, TheLowestUpCardOpensAndAcesAreHigh) {
  EXPECT_EQ(up_cards(stud(), {"As", "3d", "2h"}).current_player(), 2);
  EXPECT_EQ(up_cards(stud(), {"As", "Kd", "Ah"}).current_player(), 1);
}

TEST(Stud, SuitsBreakTies) {
  // Spades are high, then hearts, diamonds, clubs.
  EXPECT_EQ(up_cards(stud(), {"2d", "2c", "2h"}).current_player(), 1);
  EXPECT_EQ(up_cards(stud(), {"2d", "2s", "2h"}).current_player(), 0);
}

TEST(Razz, TheHighestUpCardOpensAndAcesAreLow) {
  EXPECT_EQ(up_cards(razz(), {"Kd", "Ks", "Kh"}).current_player(), 1);
  EXPECT_EQ(up_cards(razz(), {"As", "3d", "2h"}).current_player(), 1);
}

TEST(Stud, LaterTheBestShowingHandOpens) {
  EXPECT_EQ(up_cards(stud(), {"2s Ad", "3d 3h", "Kh Qh"}).current_player(), 1);
  EXPECT_EQ(up_cards(stud(), {"2s Ad", "3d 5h", "Kh Qh"}).current_player(), 0);
  // A-4 with a higher kicker than A-3.
  EXPECT_EQ(up_cards(stud(), {"2s 3d", "Ad 3h", "Ah 4h"}).current_player(), 2);
}

TEST(Stud, TiesGoToTheFirstLeftOfTheDealer) {
  for (int dealer = 0; dealer < 3; ++dealer) {
    const State state = up_cards(stud(), {"2s Ad", "2d Ah", "2c As"}, dealer);
    EXPECT_EQ(state.current_player(), (dealer + 1) % 3);
  }
}

TEST(Razz, LaterTheLowestShowingHandOpens) {
  EXPECT_EQ(up_cards(razz(), {"Ks 2d", "4d 3h", "As Ah"}).current_player(), 1);
}

TEST(Stud, FoldedHandsDoNotCount) {
  const GameRules& rules = stud();
  GivenHand given(rules, {"3c 4c 2s 4d", "3d 5c Ad Ah", "3h 6c Kh Qh"});
  const State state = given.bets(0, 0, 0).bets(0, 1, -1).bets(0, 2, 0).play();
  EXPECT_EQ(state.street(), 1);
  EXPECT_EQ(state.current_player(), 2);
}

TEST(Stud, AllInPlayersAreSkipped) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 3\nepisode: match\nmatch_hands: 3\n");
  Script script;
  script.in = 0b111;
  script.chips = {1000, 10, 1990};
  const std::vector<std::string> up = {"3s", "2d", "4h"};
  for (std::size_t seat = 0; seat < 3; ++seat) script.player[seat].up[0] = rules.deck->parse(up[seat]);
  script.seed = 1;
  fill(rules, script);
  // Seat 1 has the lowest card but not a chip left after the ante: the next to the left opens.
  EXPECT_EQ(play_script(rules, script).current_player(), 2);
}

TEST(Stud, TheBringInIsForcedOnTheOpener) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 3\nbring_in: 3\nante: 1\n");
  State state = up_cards(rules, {"As", "3d", "2h"});
  EXPECT_EQ(state.legal_mask(), 0b110U);
  EXPECT_EQ(state.choice(kCall).text, "bring in 3");
  EXPECT_EQ(state.choice(kFirstBet).text, "complete to 10");
  state.apply(kCall);
  EXPECT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.choice(kCall).text, "call 3");
  EXPECT_EQ(state.choice(kFirstBet).text, "complete to 10");
  state.apply(kFirstBet);
  EXPECT_EQ(state.choice(kFirstBet).text, "raise to 20");
}

TEST(Stud, BetsGrowFromTheThirdRoundOn) {
  State state = to_street(up_cards(stud(), {}), 1);
  EXPECT_EQ(state.choice(kFirstBet).text, "bet 10");
  state = to_street(state, 2);
  EXPECT_EQ(state.choice(kFirstBet).text, "bet 20");
}

TEST(Stud, EightPlayersShareTheLastCard) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 8\n");
  State state = to_street(up_cards(rules, {}), 4);
  ASSERT_EQ(state.board().size(), 1U);
  for (Seat seat = 0; seat < 8; ++seat) EXPECT_EQ(state.cards(seat).size(), 6U);
  EXPECT_EQ(state.view(0).board.size(), 1U);
}

TEST(Stud, WithFewEnoughPlayersLeftEverybodyGetsALastCard) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 8\n");
  State state;
  state.reset(rules, 5);
  for (int folds = 0; folds < 4; ++folds) state.apply(kFold);
  state = to_street(state, 4);
  EXPECT_EQ(state.board().size(), 0U);
  for (Seat seat = 0; seat < 8; ++seat) EXPECT_EQ(state.cards(seat).size(), state.bets().is_live(seat) ? 7U : 3U);
}

TEST(Stud, WithACourtDeckTheLeftNeighbourOfTheDealerOpensEveryRound) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 3\ndeck: court_tarot_54\n");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    State state;
    state.reset(rules, seed);
    for (int street = 0; street < 5; ++street) {
      state = to_street(state, street);
      EXPECT_EQ(state.current_player(), (state.dealer() + 1) % 3);
    }
  }
}

}  // namespace
}  // namespace dealer::poker::stud_test
