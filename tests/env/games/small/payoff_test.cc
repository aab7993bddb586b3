// Hands dealt and played by hand: order of acting, legal moves, who wins how much.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/env/games/small/table.h"
#include "tests/support/table_json.h"

namespace dealer::small::payoff_test {
namespace {

using Table = test::SmallTable;

TEST(KuhnPayoffs, AreThoseOfTheShowdownOrTheAnte) {
  const auto play = [](std::string_view mine, std::string_view other, std::string_view moves) {
    return Table("kuhn").give(mine).give(other).play(moves).gain();
  };
  EXPECT_EQ(play("Ks", "Qs", "cc"), 1);
  EXPECT_EQ(play("Js", "Qs", "cc"), -1);
  EXPECT_EQ(play("Ks", "Qs", "bc"), 2);
  EXPECT_EQ(play("Js", "Qs", "bc"), -2);
  EXPECT_EQ(play("Js", "Ks", "bf"), 1);
  EXPECT_EQ(play("Qs", "Js", "cbf"), -1);
  EXPECT_EQ(play("Qs", "Js", "cbc"), 2);
  EXPECT_EQ(play("Qs", "Ks", "cbc"), -2);
}

TEST(KuhnMoves, AreCheckOrBetAndFoldOrCall) {
  Table table("kuhn");
  table.give("Ks").give("Qs");
  const State& state = table.state();
  EXPECT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.legal_mask(), 1U << kCall | 1U << kRaise);
  EXPECT_EQ(state.choice(kCall).text, "check");
  EXPECT_EQ(state.choice(kRaise).text, "bet");
  table.play("cb");
  EXPECT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.legal_mask(), 1U << kFold | 1U << kCall);
  EXPECT_EQ(state.choice(kCall).text, "call");
}

TEST(LeducPayoffs, APairWithTheBoardBeatsTheHigherCard) {
  const auto play = [](std::string_view mine, std::string_view other, std::string_view board, std::string_view second) {
    return Table("leduc").give(mine).give(other).play("cc").give(board).play(second).gain();
  };
  EXPECT_EQ(play("Ks", "Qs", "Js", "cc"), 1);
  EXPECT_EQ(play("Ks", "Qs", "Qh", "cc"), -1);
  EXPECT_EQ(play("Js", "Ks", "Jh", "bc"), 5);
  EXPECT_EQ(play("Js", "Qs", "Kh", "brc"), -9);
  EXPECT_EQ(play("Ks", "Kh", "Qh", "brc"), 0);
  EXPECT_EQ(play("Js", "Jh", "Kh", "cbc"), 0);
  EXPECT_EQ(play("Js", "Qh", "Jh", "cbrf"), 5);
}

TEST(LeducPayoffs, BetsAreTwoThenFourAndTwoInARound) {
  Table table("leduc");
  table.give("Ks").give("Qs").play("br");
  const State& state = table.state();
  EXPECT_EQ(state.legal_mask(), 1U << kFold | 1U << kCall);
  table.play("c").give("Jh");
  EXPECT_EQ(state.current_player(), 0);
  EXPECT_EQ(state.legal_mask(), 1U << kCall | 1U << kRaise);
  table.play("cbr");
  EXPECT_EQ(state.legal_mask(), 1U << kFold | 1U << kCall);
  EXPECT_EQ(table.play("c").gain(), 1 + 4 + 8);
  EXPECT_EQ(Table("leduc").give("Ks").give("Qs").play("bf").gain(), 1);
  EXPECT_EQ(Table("leduc").give("Ks").give("Qs").play("brf").gain(), -3);
  EXPECT_EQ(Table("leduc").give("Ks").give("Qs").play("cbrf").gain(), 3);
}

TEST(LeducBoard, IsNeitherHandAndSeenByBoth) {
  Table table("leduc");
  table.give("Ks").give("Qs").play("cc");
  EXPECT_EQ(table.state().chance_outcomes().size(), 4U);
  table.give("Kh");
  for (const Seat seat : {0, 1}) EXPECT_EQ(table_json(table.state(), seat)["board"].dump(), R"(["Kh"])");
}

TEST(DrawPayoffs, PairsBeatHighCardsAndTheSecondCardCounts) {
  const auto play = [](std::string_view mine, std::string_view other) {
    return Table("mini_draw_single").give(mine).give(other).play("kkkkbc").gain();
  };
  EXPECT_EQ(play("Js Jh", "Ks Qs"), 3);
  EXPECT_EQ(play("Js Jh", "Ks Kh"), -3);
  EXPECT_EQ(play("Ks Js", "Kh Qh"), -3);
  EXPECT_EQ(play("Ks Js", "Kh Jh"), 0);
  EXPECT_EQ(play("Ks Js", "Qh Jh"), 3);
}

TEST(DrawPayoffs, HandsOfThreeKnowTripsAndKickers) {
  const auto play = [](std::string_view mine, std::string_view other) {
    return Table("mini_draw_single[hand=3,ranks=4,suits=3]").give(mine).give(other).play("kkkkkkcc").gain();
  };
  EXPECT_EQ(play("Ts Th Td", "Ks Kh Qs"), 1);
  EXPECT_EQ(play("Ks Kh Ts", "Qs Qh Kd"), 1);
  EXPECT_EQ(play("Qs Qh Ts", "Qd Ks Js"), 1);
  EXPECT_EQ(play("Ks Js Ts", "Kh Qs Th"), -1);
  EXPECT_EQ(play("Ks Qs Ts", "Kh Qh Th"), 0);
}

TEST(DrawMoves, GoThroughTheHandFromTheLowestCard) {
  Table table("mini_draw_single");
  const State& state = table.state();
  table.give("Js Ks").give("Jh Kh");
  EXPECT_EQ(state.legal_mask(), 1U << kKeep | 1U << kDiscard);
  EXPECT_EQ(table_json(state, 0)["next"], "Js");
  EXPECT_TRUE(table_json(state, 1)["next"].is_null());
  table.play("t");
  EXPECT_EQ(table_json(state, 0)["next"], "Ks");
  table.play("k").give("Qh");
  EXPECT_EQ(state.hand(0), table.cards("Qh Ks"));
  EXPECT_EQ(state.current_player(), 1);
  EXPECT_EQ(table_json(state, 1)["history"].dump(), R"(["0: draws 1"])");
  table.play("kk");
  EXPECT_EQ(state.current_player(), 0);
  EXPECT_EQ(table.play("cbc").gain(), 3);
}

// Six cards, two hands, two in the stock: after the first player's two the second draws what the first discarded.
TEST(DrawMoves, TheSecondPlayerDrawsWhatTheFirstDiscardedWhenTheStockIsEmpty) {
  Table table("mini_draw_single");
  table.give("Js Ks").give("Jh Kh").play("tt").give("Qs Qh").play("tt");
  EXPECT_EQ(table.state().chance_outcomes().size(), 1U);
  table.give("Js Ks");
  EXPECT_EQ(table.state().hand(1), table.cards("Js Ks"));
  Table half("mini_draw_single");
  half.give("Js Ks").give("Jh Kh").play("kt").give("Qs").play("tt");
  EXPECT_EQ(half.state().chance_outcomes().size(), 1U);
  half.give("Qh Ks");
  Table larger("mini_draw_single[ranks=7,suits=1]");
  larger.give("7s 8s").give("9s Ts").play("tt").give("Js Qs").play("tt");
  EXPECT_EQ(larger.state().chance_outcomes().size(), 2U);
  larger.give("Ks 7s");
}

}  // namespace
}  // namespace dealer::small::payoff_test
