// The figures of the study of draw poker on hands put down by hand, counted by hand.
#include <gtest/gtest.h>

#include "arena/studies/draw/counter.h"
#include "arena/studies/run.h"
#include "tests/arena/studies/draw_support.h"
#include "tests/arena/studies/figure_support.h"
#include "tests/support/temp_folder.h"

namespace dealer::studies::draw::draw_figures_test {
namespace {

using poker::Act;
using test::DrawHand;

// A hand's strength is a tenth of its highest rank, 0 the deuce; every card thrown makes a hundredth less of it, but
// for the first, which makes a hundredth more.
Strengths strengths_by_top(const Five& hand, int) {
  Strengths strengths;
  const float top = static_cast<float>(rank_of(static_cast<Card>(hand.back()))) / 10;
  for (unsigned mask = 0; mask < strengths.size(); ++mask) {
    const int thrown = std::popcount(mask);
    strengths[mask] = top + (thrown == 0 ? 0.0F : 0.02F - 0.01F * static_cast<float>(thrown));
  }
  return strengths;
}

Counter counter_of(int players = 2, int draws = 1) { return {high_kinds(), players, draws, strengths_by_top}; }

// Seat 1 checks, seat 0 opens with kings and draws three, seat 1 calls with a jack high, stands pat and bets; seat 0
// folds.
DrawHand bluff() {
  DrawHand played({"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s"});
  played.act(0, 1, Act::kCheck).act(0, 0, Act::kRaise).act(0, 1, Act::kCall, 0);
  played.draw(1, "", "Js 9h 7d 5c 3s", 20).draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 20);
  played.act(1, 1, Act::kRaise).act(1, 0, Act::kFold, 1);
  return played.end({-20, 20}, {0, 60}, false);
}

// Seat 0 opens with a straight and stands pat, seat 1 raises with trips and draws one; both check, seat 0 wins.
DrawHand straight() {
  DrawHand played({"Ts 9h 8d 7c 6s", "Qs Qh Qd 4c 2d"});
  played.act(0, 0, Act::kRaise).act(0, 1, Act::kRaise, 0).act(0, 0, Act::kCall, 1);
  played.draw(0, "", "Ts 9h 8d 7c 6s", 30).draw(1, "4c", "Qs Qh Qd 8c 2d", 30);
  played.act(1, 0, Act::kCheck).act(1, 1, Act::kCheck);
  return played.end({30, -30}, {60, 0}, true);
}

TEST(DrawCounter, CountsTwoHands) {
  Counter counter = counter_of();
  counter.add(0, bluff().hand());
  counter.add(1, straight().hand());
  const Figure f = counter.figures();
  // By strength from weak to strong: the straight to the ten, jack high, trips of queens, kings.
  test::expect_figures(f, R"(
    positions/0: chances=1*2 opens=0.5*2 points=25*2 tenths/1=1*1 tenths/3=0*1
    positions/0/opens_by_hand: queen_high=0*1 straight=1*1
    positions/1: chances=0.5*2 opens=1*1 points=-25*2 tenths/8=1*1 opens_by_hand/pair_k=1*1
    differences: opens_last_first=0.5*3
    hands_dealt: pair_k/share=0.25*4 pair_k/strength=1.11 straight/strength=0.81 straight/answers/call=0*0
    hands_dealt: queen_high/answers/call=1*1 trips/answers/raise=1*1
    answers: call=0.5*2 raise=0.5*2 fold=0*2 tenths/3/call=1*1 tenths/6/raise=1*1
    draws/0/discards/all: share=1*4 thrown/0=0.5*4 thrown/3=0.25*4 best=0.25*4 cost=0.01
    draws/0/discards/pair: share=0.25*4 thrown/3=1*1 kept/pair=1*1 kept/all=0*1
    draws/0/discards: trips/kept/trips_kicker=1*1 trips/best=1*1 straight/kept/all=1*1 flush/thrown/0=0*0
    draws/0/by_thrown: 0/share=0.5*4 1/share=0.25*4 0/bets=0.5*2 1/bets=0*1 3/bets=0*0 0/folds=1*1 1/folds=0*0
    draws/0/pat: rate=0.5*4 bluffs=0.5*2 worth_bluff_draw=40*2 folds_pat_draw=0*0
    draws/0/pat/made: share=0.5*2 bets=0*1 wins=1*1 unseen=0*1 worth=60*1
    draws/0/pat/thin: share=0*2 wins=0*0
    draws/0/pat/bluff: share=0.5*2 bets=1*1 wins=1*1 unseen=1*1 points=20*1 worth=40*1
    draws/0/pat/weak_drawing: share=0.5*2 wins=0*1 points=-20*1 worth=0*1 bets=0*0
  )");
  // One straight that opened is no rule.
  EXPECT_EQ(f.to_json()["positions"][0]["weakest"], nullptr);
  EXPECT_EQ(f.to_json()["positions"][1]["weakest"], nullptr);
}

// Of kinds of hands that were seen often enough, the weakest that opens.
TEST(DrawCounter, WhoOpensIsToldOfThirtyChances) {
  Counter counter = counter_of();
  std::int64_t deal = 0;
  for (; deal < kFewestChances - 1; ++deal) counter.add(deal, bluff().hand());
  for (int i = 0; i < kFewestChances; ++i) counter.add(deal++, straight().hand());
  EXPECT_EQ(counter.figures().text("positions/1/.opens_from"), "none");
  EXPECT_EQ(counter.figures().text("positions/0/weakest"), "straight");
  counter.add(deal, bluff().hand());
  EXPECT_EQ(counter.figures().text("positions/1/weakest"), "pair_k");
  EXPECT_EQ(counter.figures().text("positions/1/.opens_from"), "kings, 100 (90 to 100)%");
}

TEST(DrawCounter, FoldsToPatAndToDrawnHandsAreCompared) {
  DrawHand drawn({"Ks Kh 9d 4c 2s", "As Ah 7d 5c 3s"});
  drawn.act(0, 0, Act::kCheck).act(0, 1, Act::kCheck);
  drawn.draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 10).draw(1, "7d 5c 3s", "As Ah Td 9c 8s", 10);
  drawn.act(1, 0, Act::kRaise).act(1, 1, Act::kRaise, 0).act(1, 0, Act::kCall, 1);
  drawn.end({-50, 50}, {0, 100}, true);
  Counter counter = counter_of();
  counter.add(0, bluff().hand());
  counter.add(1, drawn.hand());
  const Figure f = counter.figures();
  test::expect_figures(f, "draws/0: pat/folds_pat_draw=1*3 by_thrown/3/folds=0*2 pat/weak_drawing/bets=1*1");
  EXPECT_GT(f.estimate("draws/0/pat/folds_pat_draw").ci95, 0.9) << "never and always, of one deal each";
}

// Only the first chance counts, only where nobody has come in, and only the next player answers.
TEST(DrawCounter, OpeningsEndWithTheFirstWhoComesIn) {
  const std::vector<std::string> cards = {"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s", "As Qh 8d 6c 3d"};
  DrawHand limped(cards), opened(cards);
  limped.act(0, 1, Act::kCall).act(0, 2, Act::kRaise).act(0, 0, Act::kFold, 2).act(0, 1, Act::kFold, 2);
  limped.end({-5, -10, 15}, {0, 0, 30}, false);
  opened.act(0, 1, Act::kFold).act(0, 2, Act::kRaise).act(0, 0, Act::kCall, 2);
  opened.end({10, 0, -10}, {20, 0, 0}, true);
  Counter counter = counter_of(3);
  counter.add(0, limped.hand());
  counter.add(1, opened.hand());
  test::expect_figures(counter.figures(), R"(
    positions: 0/opens=0*2 1/opens=1*1 1/chances=0.5*2 2/opens=0*0 2/chances=0*2
    : answers/call=1*1 draws/0/discards/all/share=0*6
  )");
}

TEST(DrawCounter, TakesADealAsOneObservation) {
  Counter together = counter_of(), apart = counter_of();
  for (int i = 0; i < 24; ++i) {
    const DrawHand played = i % 2 == 0 ? bluff() : straight();
    together.add(i / 2, played.hand());
    apart.add(i, played.hand());
  }
  EXPECT_DOUBLE_EQ(together.figures().estimate("positions/0/points").value, 25);
  EXPECT_FALSE(together.figures().estimate("positions/0/points").known()) << "all deals are equal";
  EXPECT_GT(apart.figures().estimate("positions/0/points").ci95, 1);
}

// Each draw of several has its own discards and the betting that follows it.
TEST(DrawCounter, TellsDrawsApart) {
  DrawHand played({"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s"});
  played.act(0, 0, Act::kCheck).act(0, 1, Act::kCheck);
  played.draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 10, 0).draw(1, "", "Js 9h 7d 5c 3s", 10, 0);
  played.act(1, 0, Act::kCheck).act(1, 1, Act::kCheck);
  played.draw(0, "", "Ks Kh Qd Jc 7s", 10, 1).draw(1, "3s", "Js 9h 7d 5c 2d", 10, 1);
  played.act(2, 0, Act::kRaise).act(2, 1, Act::kFold, 0);
  played.end({10, -10}, {30, 0}, false);
  Counter counter = counter_of(2, 2);
  counter.add(0, played.hand());
  test::expect_figures(counter.figures(), R"(
    draws/0: discards/pair/thrown/3=1*1 by_thrown/0/bets=0*1 by_thrown/0/folds=0*0
    draws/1: discards/pair/thrown/0=1*1 by_thrown/0/bets=1*1 by_thrown/0/folds=1*1
  )");
}

// High and low hands, three players and two draws.
TEST(DrawStudy, ComesToWhatItDid) {
  const test::TempFolder folder;
  const StudyOutcome outcome = run_study(
      read_study("draw", {"games=[\"draw[players=3]\", triple_draw]", "agents=[random]", "deals=60"}), folder.path());
  test::expect_recorded("draw", outcome.results["figures"]);
}

}  // namespace
}  // namespace dealer::studies::draw::draw_figures_test
