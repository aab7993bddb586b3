// Rule files: defaults, and what is refused, each with one line that says where and what is allowed.
#include "env/games/poker/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/games/poker/table.h"

namespace dealer::poker::rules_test {
namespace {

void refuses(const std::string& text, const std::string& part) {
  try {
    rules_of(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind("test:", 0), 0U) << message;
  }
}

TEST(PokerRules, Defaults) {
  const GameRules draw = rules_of("procedure: draw\n");
  EXPECT_EQ(draw.bets.limit, betting::Limit::kStructured);
  EXPECT_EQ(draw.bets.offers.size(), 1U) << "there is one size to bet";
  EXPECT_EQ(draw.stack, 1000);
  EXPECT_EQ(draw.bets.ante, 10);
  EXPECT_EQ(draw.bets.raises_per_player, 2);
  EXPECT_EQ(draw.bets.raises_per_round, betting::kNoCap);
  EXPECT_TRUE(draw.bets.check_raise);
  EXPECT_EQ(draw.draws, 1);
  EXPECT_EQ(draw.rounds, 2);
  EXPECT_EQ(draw.deck->jokers(), 0);
  const GameRules no_limit = rules_of("procedure: holdem\nlimit: no_limit\n");
  EXPECT_EQ(no_limit.bets.size[0], 100);
  EXPECT_EQ(no_limit.stack, 10000);
  EXPECT_EQ(no_limit.bets.small_blind, 50);
  EXPECT_EQ(no_limit.bets.big_blind, 100);
  EXPECT_EQ(no_limit.bets.ante, 0);
  EXPECT_EQ(rules_of("procedure: holdem\nante: 0\n").bets.big_blind, 10);
  EXPECT_EQ(rules_of("procedure: holdem\nante: 5\n").bets.big_blind, 0);
  EXPECT_EQ(rules_of("procedure: stud\nlimit: pot_limit\n").bets.size[0], 10);
  EXPECT_EQ(rules_of("procedure: stud\n").bets.ante, 10);
  EXPECT_EQ(rules_of("procedure: stud\n").bets.bring_in, 0);
}

TEST(PokerRules, ImpossibleTablesAreRefused) {
  refuses("procedure: draw\nplayers: 7\n", "test:2: players: 7 is not allowed; expected an integer from 2 to 6");
  refuses("procedure: stud\nplayers: 9\n", "from 2 to 8");
  refuses("procedure: holdem\nplayers: 11\n", "from 2 to 10");
  refuses("procedure: stud\ndeck: court_tarot_54\nplayers: 7\n", "from 2 to 6 with a Court deck");
}

TEST(PokerRules, ImpossibleChipsAreRefused) {
  refuses("procedure: holdem\nstack: 8\n", "more than the stack");
  refuses("procedure: holdem\nstack: 100\nblinds: [50, 200]\n", "test:3: blinds: 200 is more than the stack of 100");
  refuses("procedure: holdem\nblinds: [10, 5]\n", "blinds");
  refuses("procedure: holdem\nblinds: [5]\n", "two numbers");
  refuses("procedure: stud\nblinds: [5, 10]\n", "no blinds");
  refuses("procedure: stud\nante: 2000\n", "more than the stack");
  refuses("procedure: stud\nante: 1000\n", "nobody has a chip left");
  refuses("procedure: stud\nbring_in: 10\n", "less than min_bet");
  refuses("procedure: draw\nbring_in: 5\n", "only stud");
  refuses("procedure: draw\nmin_bet: 20\nbig_bet: 10\n", "less than min_bet");
  refuses("procedure: holdem\nplayers: 10\nstack: 16000000\n", "stack");
  refuses("procedure: draw\nlimit: washizu\nstack: 30\n", "from 10 to 20");
  refuses("procedure: draw\nepisode: match\nante: 0\n", "never ends");
  refuses("procedure: holdem\nstack: 100\nblinds: [40, 90]\nante: 20\n",
          "big blind and ante, 110, are more than the stack of 100");
  refuses("procedure: draw\nlimit: washizu\nmatch_hands: 0\n", "match_hands: 0 is not allowed");
}

TEST(PokerRules, BetListsWithoutALegalBetAreRefused) {
  refuses("limit: no_limit\nbets: []\n", "test:2: bets: a list without a bet");
  refuses("limit: no_limit\nbets: [half]\n", "'half' is no bet");
  refuses("limit: no_limit\nbets: [-1]\n", "is no bet");
  refuses("limit: no_limit\nbets: [all_in, min]\n", "all_in before min");
  refuses("limit: no_limit\nbets: [1, 0.5]\n", "1 before 0.5");
  refuses("limit: no_limit\nbets: [min, min]\n", "min before min");
  refuses("limit: no_limit\nbets: [0.5x]\n", "'0.5x' is no bet");
  refuses("limit: no_limit\nbets: ['']\n", "'' is no bet");
  std::string most = "limit: no_limit\nbets: [min";
  for (int i = 1; i < betting::kMaxOffers; ++i) most += fmt::format(", {}", i);
  EXPECT_EQ(rules_of(most + "]\n").bets.offers.size(), 28U);
  refuses(most + ", all_in]\n", "29 bets; expected at most 28");
}

TEST(PokerRules, CardsThatDoNotFitAreRefused) {
  refuses("procedure: stud\ndeck: court_tarot_54\nranking: ace_to_five\n", "Court deck");
  refuses("procedure: stud\ndeck: court_extra_52\nlow: eight_or_better\n", "Court deck");
  refuses("deck: court_color_52\njokers: 1\n", "jokers");
  refuses("deck: no_such_deck\n", "no_such_deck");
  refuses("ranking: no_such_ranking\n", "no_such_ranking");
  refuses("ranking: court_tarot_54\n", "ranking");
  refuses("procedure: stud\nlow: high\n", "no low ranking");
  refuses("jokers: 3\n", "jokers");
}

TEST(PokerRules, AbsurdlyLongHandsAreRefused) {
  refuses("procedure: holdem\nplayers: 6\nlimit: no_limit\nmin_bet: 1\nstack: 100000\nraises_per_player: null\n",
          "expected a cap on raises");
}

TEST(PokerRules, EveryGameFileCanBePlayedWithAnotherProcedure) {
  for (const char* game : {"court_tarot", "court_extra", "court_color"})
    for (const char* procedure : {"draw", "stud", "holdem"})
      EXPECT_EQ(make_game(std::string(game) + "[procedure=" + procedure + ",players=6]")->players(), 6);
}

}  // namespace
}  // namespace dealer::poker::rules_test
