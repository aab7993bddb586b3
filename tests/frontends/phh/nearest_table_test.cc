// Other players' hands at the nearest tables of our games.
#include "frontends/phh/nearest_table.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "env/core/typed_env.h"
#include "env/games/poker/game.h"
#include "env/games/poker/state.h"
#include "tests/frontends/phh/replaying.h"

namespace dealer::phh::nearest_table_test {
namespace {

// The decisions with their lines, in words: "1: call; -1: fold".
std::string observed(const NearestTable& near) {
  std::string all;
  const auto env = near.decisions.table->clone();
  for (std::size_t i = 0; i < near.decisions.decisions.size(); ++i) {
    const Decision& decision = near.decisions.decisions[i];
    all += fmt::format("{}{} {}", i == 0 ? "" : ", ", near.decisions.lines[i] < 0 ? "-" : "",
                       env->decision_to_string(decision));
    env->step(decision);
  }
  return all;
}

NearestTable near(const std::string& text) {
  const HandHistory hand = parse_hand(text);
  const StandardReplay replay(hand);
  for (const Problem& problem : replay.problems()) ADD_FAILURE() << problem.message;
  return nearest_table(replay);
}

std::string brought(const NearestTable& table) { return fmt::format("{}", fmt::join(table.brought_near, ", ")); }

std::string hand(const std::string& stacks, const std::string& actions, const std::string& blinds = "0.50, 1",
                 const std::string& antes = "0, 0") {
  return fmt::format(
      "variant = 'NT'\nantes = [{}]\nblinds_or_straddles = [{}]\nmin_bet = 1\nstarting_stacks = [{}]\n"
      "actions = [{}]\n",
      antes, blinds, stacks, actions);
}

TEST(NearestTable, OfTwoIsTheGameForTwo) {
  const NearestTable table = near(
      hand("100, 100", "'d dh p1 AsKh', 'd dh p2 QsQd', 'p2 cbr 2.50', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p2 cbr 3'"));
  EXPECT_EQ(table.game->spec(), "holdem[limit=no_limit]");
  EXPECT_EQ(brought(table), "");
  EXPECT_EQ(observed(table), " raise to 250,  call 150,  check,  bet 300");
  EXPECT_EQ(table.decisions.unknown, (std::vector<bool>{false, false}));
  // The player to act sees its own hand.
  const Seat seat = table.decisions.table->current_player();
  EXPECT_NE(table.decisions.table->to_string(seat).find("Q"), std::string::npos);
}

TEST(NearestTable, SaysWhatIsBroughtNear) {
  const std::string actions = "'d dh p1 AsKh', 'd dh p2 QsQd', 'p2 cbr 3', 'p1 f'";
  EXPECT_EQ(brought(near(hand("100, 45.50", actions))), "stacks");
  EXPECT_EQ(brought(near(hand("100, 100", actions, "0.50, 1", "0.10, 0.10"))), "antes");
  EXPECT_EQ(brought(near(hand("100, 100", actions, "0.25, 1"))), "blinds");
  // A bet beyond the chips of our table is all-in.
  const NearestTable deep = near(hand("500, 500", "'d dh p1 AsKh', 'd dh p2 QsQd', 'p2 cbr 400', 'p1 f'"));
  EXPECT_EQ(brought(deep), "stacks, bets");
  EXPECT_EQ(observed(deep), " raise to 10000,  fold");
}

// A player who is all-in in the file has chips here, and only calls with them: decisions of no player in the file.
TEST(NearestTable, LeadsOnForPlayersWhoAreAllIn) {
  const NearestTable table =
      near(hand("20, 100, 100",
                "'d dh p1 AsKh', 'd dh p2 QsQd', 'd dh p3 7c7d', 'p3 cbr 3', 'p1 cbr 20', 'p2 cbr 50', "
                "'p3 cc', 'd db 2c8d9h', 'p2 cc', 'p3 cbr 50', 'p2 f'",
                "0.50, 1, 0", "0, 0, 0"));
  EXPECT_EQ(table.game->players(), 6);
  EXPECT_EQ(brought(table), "players, stacks");
  EXPECT_EQ(table.seats, (std::vector<int>{0, 1, 5}));
  EXPECT_EQ(observed(table),
            "- fold, - fold, - fold,  raise to 300,  raise to 2000,  raise to 5000,  call 4700, - call 3000, - check, "
            " check,  bet 5000, - call 5000,  fold");
}

TEST(NearestTable, LeavesOutWhoFoldsAtOnce) {
  std::string stacks = "100", zeros = "0", deals = "'d dh p1 AsKh'";
  for (int i = 2; i <= 9; ++i) stacks += ", 100", zeros += ", 0", deals += fmt::format(", 'd dh p{} ???\?'", i);
  const NearestTable table =
      near(hand(stacks, deals + ", 'p3 f', 'p4 f', 'p5 f', 'p6 f', 'p7 cbr 3', 'p8 f', 'p9 f', 'p1 cc', 'p2 f'",
                "0.50, 1, 0, 0, 0, 0, 0, 0, 0", zeros));
  EXPECT_EQ(table.game->spec(), "holdem[limit=no_limit,players=6]");
  EXPECT_EQ(table.seats, (std::vector<int>{0, 1, -1, -1, -1, 2, 3, 4, 5}));
  EXPECT_EQ(observed(table), " fold,  raise to 300,  fold,  fold,  call 250,  fold");
  EXPECT_EQ(table.decisions.unknown, (std::vector<bool>{false, true, true, true, true, true}));
}

TEST(NearestTable, OfStudAndDrawGames) {
  const NearestTable stud = near(R"(variant = 'FR'
antes = [5, 5, 5]
bring_in = 5
small_bet = 20
big_bet = 40
starting_stacks = [2000, 2000, 2000]
actions = ['d dh p1 7c3hKc', 'd dh p2 8s6s5s', 'd dh p3 3s2c8h', 'p1 pb', 'p2 cbr 20', 'p3 f', 'p1 cc', 'd dh p1 Jh', 'd dh p2 6c', 'p2 cbr 20', 'p1 f']
)");
  EXPECT_EQ(stud.game->spec(), "razz");
  EXPECT_EQ(stud.seats, (std::vector<int>{0, 1, -1}));
  ASSERT_NE(stud.decisions.table, nullptr);
  EXPECT_EQ(brought(stud), "players, antes, bring-in");
  const NearestTable draw = near(R"(variant = 'F2L3D'
antes = [0, 0]
blinds_or_straddles = [75, 150]
small_bet = 150
big_bet = 300
starting_stacks = [15000, 15000]
actions = ['d dh p1 7h6c4c3d2c', 'd dh p2 ??????????', 'p2 cbr 300', 'p1 cc', 'p1 sd', 'p2 sd ????', 'd dh p2 ????',
  'p1 cbr 150', 'p2 cc', 'p1 sd', 'p2 sd ??', 'd dh p2 Qh', 'p1 cbr 300', 'p2 f']
)");
  EXPECT_EQ(draw.game->spec(), "deuce_triple_draw");
  EXPECT_EQ(brought(draw), "");
  EXPECT_TRUE(observed(draw).ends_with(" fold")) << observed(draw);
  EXPECT_EQ(draw.decisions.unknown, (std::vector<bool>{false, true}));
}

// Heads-up the dealer posts the small blind: hands where only the dealer and the big blind stay in are for two.
TEST(NearestTable, OfDrawGamesKeepsTheBlinds) {
  struct Case {
    const char *blinds, *actions, *game;
    std::vector<int> seats;
  };
  for (const auto& [blinds, actions, game, seats] :
       {Case{"1, 2, 0", "'p3 cbr 4', 'p1 f', 'p2 cc'", "deuce_single_draw", {-1, 0, 1}},
        {"1, 2, 0", "'p3 f', 'p1 cc', 'p2 cc'", "deuce_single_draw[players=3]", {0, 1, 2}},
        {"1, 2, 0", "'p3 cc', 'p1 cc', 'p2 f'", "deuce_single_draw[players=3]", {0, 1, 2}},
        {"1, 2, 0, 0", "'p3 f', 'p4 cc', 'p1 f', 'p2 cc'", "deuce_single_draw", {-1, 0, -1, 1}},
        {"1, 2, 0, 0", "'p3 f', 'p4 cc', 'p1 cc', 'p2 cc'", "deuce_single_draw[players=4]", {0, 1, 2, 3}},
        {"1, 2, 0, 0, 0", "'p3 f', 'p4 cc', 'p5 cc', 'p1 f', 'p2 cc'", "deuce_single_draw[players=5]", {0, 1, 2, 3, 4}},
        // Only the dealer posts a blind.
        {"0, 0, 0, 2", "'p1 f', 'p2 f', 'p3 cc', 'p4 cc'", "deuce_single_draw[players=4]", {0, 1, 2, 3}}}) {
    SCOPED_TRACE(actions);
    std::string zeros, stacks, deals;
    for (std::size_t i = 1; i <= seats.size(); ++i) {
      const char* comma = i == 1 ? "" : ", ";
      zeros += fmt::format("{}0", comma);
      stacks += fmt::format("{}200", comma);
      deals += fmt::format("'d dh p{} ???\?\?\?\?\?\?\?', ", i);
    }
    const NearestTable table = near(
        fmt::format("variant = 'N2L1D'\nantes = [{}]\nblinds_or_straddles = [{}]\nmin_bet = 2\nstarting_stacks = [{}]\n"
                    "actions = [{}{}]\n",
                    zeros, blinds, stacks, deals, actions));
    EXPECT_EQ(table.game->spec(), game);
    EXPECT_EQ(table.seats, seats);
  }
}

TEST(NearestTable, IsNoneWhereNoGameIsNear) {
  EXPECT_EQ(near(R"(variant = 'PO'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????????', 'd dh p2 ????????', 'p2 f']
)")
                .game,
            nullptr);
  // Draw games have at most six players.
  std::string zeros = "0, 0", stacks = "200, 200", deals, calls;
  for (int i = 1; i <= 7; ++i) deals += fmt::format("'d dh p{} ???\?\?\?\?\?\?\?', ", i);
  for (int i = 3; i <= 7; ++i) zeros += ", 0", stacks += ", 200", calls += fmt::format("'p{} cc', ", i);
  const NearestTable seven =
      near(fmt::format("variant = 'N2L1D'\nantes = [{0}]\nblinds_or_straddles = [1, 2, 0, 0, 0, 0, 0]\nmin_bet = 2\n"
                       "starting_stacks = [{1}]\nactions = [{2}{3}'p1 cc', 'p2 cc']\n",
                       zeros, stacks, deals, calls));
  EXPECT_EQ(seven.game, nullptr);
}

}  // namespace
}  // namespace dealer::phh::nearest_table_test
