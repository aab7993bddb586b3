// What a tournament's tables play: the games for every number of players and every level.
#include <gtest/gtest.h>

#include "arena/knockout/setup.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "tests/support/error_message.h"

namespace dealer::knockout::levels_test {
namespace {

const poker::GameRules& poker_rules(const Levels& levels, int size, int level) {
  return poker::as_poker(*levels.game(size, level))->rules();
}

TEST(Levels, OfcCountsByItsOwnMultiplier) {
  const Levels levels(make_game("ofc[match.hands=5,fantasyland.cards=15]"), 7, 3, std::nullopt, 4);
  EXPECT_EQ(levels.sizes(), (std::vector<int>{2, 3}));
  EXPECT_EQ(levels.count(), 1);
  EXPECT_EQ(levels.stack(), 200);
  for (const int size : levels.sizes()) {
    const ofc::GameRules& rules = ofc::as_ofc(*levels.game(size, 0))->rules();
    EXPECT_EQ(rules.players, size);
    EXPECT_EQ(rules.episode, ofc::Episode::kMatch);
    EXPECT_EQ(rules.multiplier_every, 4);
    EXPECT_EQ(rules.tournament_points, 1400);
    EXPECT_EQ(rules.fantasyland_cards, 15);
  }
  const std::vector<int> first = {1, 1, 1, 1, 2, 2, 2, 2, 3};
  for (std::size_t hand = 0; hand < first.size(); ++hand)
    EXPECT_EQ(levels.multiplier(static_cast<int>(hand)), first[hand]) << hand;
  EXPECT_EQ(Levels(make_game("ofc"), 4, 3, 150, 0).multiplier(1000), 1);
  EXPECT_EQ(Levels(make_game("ofc"), 4, 3, 150, 0).stack(), 150);
  EXPECT_THROW(Levels(make_game("ofc"), 4, 3, 500, 0), ConfigError);
}

TEST(Levels, BetsAndBlindsDouble) {
  const Levels levels(make_game("holdem"), 8, 3, 400, 10);
  EXPECT_EQ(levels.stack(), 400);
  EXPECT_EQ(levels.level_of(9), 0);
  EXPECT_EQ(levels.level_of(10), 1);
  EXPECT_EQ(levels.multiplier(29), 4);
  // 3,200 chips in all: what is forced stops at half of them.
  EXPECT_EQ(levels.count(), 8);
  EXPECT_EQ(levels.level_of(1'000'000), 7);
  for (int level = 0; level < levels.count(); ++level) {
    const poker::GameRules& rules = poker_rules(levels, 3, level);
    EXPECT_EQ(rules.players, 3);
    EXPECT_EQ(rules.stack, 400 << level);
    EXPECT_EQ(rules.min_bet, 10 << level);
    EXPECT_EQ(rules.bets.size[0], 10 << level);
    EXPECT_EQ(rules.bets.size[3], 20 << level);
    EXPECT_EQ(rules.bets.small_blind, 5 << level);
    EXPECT_EQ(rules.bets.big_blind, 10 << level);
    EXPECT_EQ(rules.bets.ante, 0);
    EXPECT_EQ(rules.tournament_chips, 3200 << level);
    // An agent of a network takes every level.
    EXPECT_EQ(levels.game(3, level)->observation_spec().size(),
              make_game("holdem[players=3]")->observation_spec().size());
  }
  EXPECT_EQ(Levels(make_game("holdem"), 8, 3, 400, 0).count(), 1);
}

TEST(Levels, AntesAndBringInsDouble) {
  const Levels levels(make_game("stud[ante=2,bring_in=3,big_bet=30]"), 6, 6, std::nullopt, 5);
  EXPECT_EQ(levels.stack(), 1000);
  const poker::GameRules& rules = poker_rules(levels, 4, 2);
  EXPECT_EQ(rules.bets.ante, 8);
  EXPECT_EQ(rules.bets.bring_in, 12);
  EXPECT_EQ(rules.bets.size[0], 40);
  EXPECT_EQ(rules.bets.size[4], 120);
  EXPECT_EQ(rules.stack, 4000);
}

TEST(Levels, OfWashizuTheAnteDoubles) {
  const Levels levels(make_game("washizu[stack=12]"), 8, 4, std::nullopt, 5);
  EXPECT_EQ(levels.count(), 4) << "1, 2, 4 and 8 of 12 chips";
  for (int level = 0; level < levels.count(); ++level) {
    const poker::GameRules& rules = poker_rules(levels, 2, level);
    EXPECT_EQ(rules.bets.ante, 1 << level);
    EXPECT_EQ(rules.stack, 12);
    EXPECT_EQ(rules.tournament_chips, 96);
    EXPECT_EQ(rules.episode, poker::Episode::kMatch);
  }
}

TEST(Levels, RefusesWhatCannotBePlayed) {
  using test::error_message;
  EXPECT_NE(error_message<UsageError>([] { Levels(make_game("kuhn"), 4, 2, std::nullopt, 5); }).find("'kuhn'"),
            std::string::npos);
  EXPECT_NE(error_message<UsageError>([] { Levels(make_game("ofc"), 8, 4, std::nullopt, 5); }).find("expected 2 to 3"),
            std::string::npos);
  EXPECT_NE(error_message<UsageError>([] {
              Levels(make_game("holdem"), 200, 6, 1'000'000, 5);
            }).find("200 players with 1000000 chips"),
            std::string::npos);
  EXPECT_EQ(usual_table_size(*make_game("ofc")), 3);
  EXPECT_EQ(usual_table_size(*make_game("holdem")), 6);
}

}  // namespace
}  // namespace dealer::knockout::levels_test
