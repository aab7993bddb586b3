// The figures of the study of draw poker on hands put down by hand, counted by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "arena/studies/draw/tally.h"
#include "tests/arena/studies/draw_support.h"

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

std::size_t index_of(std::span<const Words> words, std::string_view name) {
  std::size_t i = 0;
  while (words[i].name != name) ++i;
  return i;
}
std::size_t kind(std::string_view name) { return index_of(kinds(Side::kHigh), name); }
std::size_t opener(std::string_view name) { return index_of(openers(Side::kHigh), name); }
std::size_t keeping(std::string_view name) { return index_of(kept(Side::kHigh), name); }

void expect(const Estimate& estimate, double value, double count) {
  EXPECT_DOUBLE_EQ(estimate.value, value);
  EXPECT_DOUBLE_EQ(estimate.count, count);
}

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

class TwoDrawHands : public testing::Test {
 protected:
  TwoDrawHands() {
    Tally tally(Side::kHigh, 2, 1, strengths_by_top);
    tally.add(0, bluff().hand());
    tally.add(1, straight().hand());
    f_ = tally.figures();
  }
  GameFigures f_;
};

TEST_F(TwoDrawHands, CountOpenings) {
  ASSERT_EQ(f_.positions.size(), 2U);
  const PositionFigures &first = f_.positions[0], &last = f_.positions[1];
  expect(first.chances, 1, 2);
  expect(first.opens, 0.5, 2);
  expect(last.chances, 0.5, 2);
  expect(last.opens, 1, 1);
  expect(first.points, (20 + 30) / 2.0, 2);
  expect(last.points, (-20 - 30) / 2.0, 2);
  expect(first.hands[opener("queen_high")], 0, 1);
  expect(first.hands[opener("straight")], 1, 1);
  expect(last.hands[opener("pair_k")], 1, 1);
  // One straight that opened is no rule.
  EXPECT_EQ(first.weakest, -1);
  EXPECT_EQ(last.weakest, -1);
  expect(f_.opens_last_first, 0.5, 3);
  // From weak to strong: the straight to the ten, jack high, trips of queens, kings.
  expect(first.tenths[1], 1, 1);
  expect(first.tenths[3], 0, 1);
  expect(last.tenths[8], 1, 1);
  expect(f_.hands[opener("pair_k")].share, 0.25, 4);
  EXPECT_NEAR(f_.hands[opener("pair_k")].strength.value, 1.1 + 0.01, 1e-6);
  EXPECT_NEAR(f_.hands[opener("straight")].strength.value, 0.8 + 0.01, 1e-6);
}

TEST_F(TwoDrawHands, CountAnswers) {
  expect(f_.answers.call, 0.5, 2);
  expect(f_.answers.raise, 0.5, 2);
  expect(f_.answers.fold, 0, 2);
  expect(f_.hands[opener("queen_high")].answers.call, 1, 1);
  expect(f_.hands[opener("trips")].answers.raise, 1, 1);
  expect(f_.hands[opener("straight")].answers.call, 0, 0);
  expect(f_.answers_by_tenth[3].call, 1, 1);
  expect(f_.answers_by_tenth[6].raise, 1, 1);
}

TEST_F(TwoDrawHands, CountDiscards) {
  ASSERT_EQ(f_.draws.size(), 1U);
  const DrawFigures& draw = f_.draws[0];
  expect(draw.all.share, 1, 4);
  expect(draw.all.thrown[0], 0.5, 4);
  expect(draw.all.thrown[3], 0.25, 4);
  expect(draw.all.best, 0.25, 4);
  EXPECT_NEAR(draw.all.cost.value, (0.01 + 0.02 + 0.01 + 0) / 4, 1e-6);
  const DiscardFigures& pair = draw.kinds[kind("pair")];
  expect(pair.share, 0.25, 4);
  expect(pair.thrown[3], 1, 1);
  expect(pair.kept[keeping("pair")], 1, 1);
  expect(pair.kept[keeping("all")], 0, 1);
  expect(draw.kinds[kind("trips")].kept[keeping("trips_kicker")], 1, 1);
  expect(draw.kinds[kind("trips")].best, 1, 1);
  expect(draw.kinds[kind("straight")].kept[keeping("all")], 1, 1);
  expect(draw.kinds[kind("flush")].thrown[0], 0, 0);
  expect(draw.thrown[0].share, 0.5, 4);
  expect(draw.thrown[1].share, 0.25, 4);
}

TEST_F(TwoDrawHands, CountStandingPat) {
  const DrawFigures& draw = f_.draws[0];
  expect(draw.pat, 0.5, 4);
  expect(draw.bluffs, 0.5, 2);
  const PatFigures &made = draw.classes[kMade], &thin = draw.classes[kThin], &weak = draw.classes[kBluff];
  expect(made.share, 0.5, 2);
  expect(weak.share, 0.5, 2);
  expect(thin.share, 0, 2);
  expect(thin.wins, 0, 0);
  expect(weak.bets, 1, 1);
  expect(weak.wins, 1, 1);
  expect(weak.unseen, 1, 1);
  expect(weak.points, 20, 1);
  expect(weak.worth, 40, 1);
  expect(made.bets, 0, 1);
  expect(made.wins, 1, 1);
  expect(made.unseen, 0, 1);
  expect(made.worth, 60, 1);
  expect(draw.weak_drawing.share, 0.5, 2);
  expect(draw.weak_drawing.wins, 0, 1);
  expect(draw.weak_drawing.points, -20, 1);
  expect(draw.weak_drawing.worth, 0, 1);
  expect(draw.weak_drawing.bets, 0, 0);
  expect(draw.worth_bluff_draw, 40, 2);
}

TEST_F(TwoDrawHands, CountBetsAfterTheDraw) {
  const DrawFigures& draw = f_.draws[0];
  expect(draw.thrown[0].bets, 0.5, 2);
  expect(draw.thrown[1].bets, 0, 1);
  expect(draw.thrown[3].bets, 0, 0);
  expect(draw.thrown[0].folds, 1, 1);
  expect(draw.thrown[1].folds, 0, 0);
  expect(draw.folds_pat_draw, 0, 0);
}

// Of kinds of hands that were seen often enough, the weakest that opens.
TEST(DrawTally, WhoOpensIsToldOfThirtyChances) {
  Tally tally(Side::kHigh, 2, 1, strengths_by_top);
  std::int64_t deal = 0;
  for (; deal < kFewestChances - 1; ++deal) tally.add(deal, bluff().hand());
  for (int i = 0; i < kFewestChances; ++i) tally.add(deal++, straight().hand());
  EXPECT_EQ(tally.figures().positions[1].weakest, -1);
  EXPECT_EQ(static_cast<std::size_t>(tally.figures().positions[0].weakest), opener("straight"));
  tally.add(deal, bluff().hand());
  EXPECT_EQ(static_cast<std::size_t>(tally.figures().positions[1].weakest), opener("pair_k"));
}

TEST(DrawTally, FoldsToPatAndToDrawnHandsAreCompared) {
  DrawHand drawn({"Ks Kh 9d 4c 2s", "As Ah 7d 5c 3s"});
  drawn.act(0, 0, Act::kCheck).act(0, 1, Act::kCheck);
  drawn.draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 10).draw(1, "7d 5c 3s", "As Ah Td 9c 8s", 10);
  drawn.act(1, 0, Act::kRaise).act(1, 1, Act::kRaise, 0).act(1, 0, Act::kCall, 1);
  drawn.end({-50, 50}, {0, 100}, true);
  Tally tally(Side::kHigh, 2, 1, strengths_by_top);
  tally.add(0, bluff().hand());
  tally.add(1, drawn.hand());
  const DrawFigures draw = tally.figures().draws[0];
  expect(draw.folds_pat_draw, 1, 3);
  expect(draw.thrown[3].folds, 0, 2);
  EXPECT_GT(draw.folds_pat_draw.ci95, 0.9) << "never and always, of one deal each";
  expect(draw.weak_drawing.bets, 1, 1);
}

// Only the first chance counts, only where nobody has come in, and only the next player answers.
TEST(DrawTally, OpeningsEndWithTheFirstWhoComesIn) {
  const std::vector<std::string> cards = {"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s", "As Qh 8d 6c 3d"};
  DrawHand limped(cards), opened(cards);
  limped.act(0, 1, Act::kCall).act(0, 2, Act::kRaise).act(0, 0, Act::kFold, 2).act(0, 1, Act::kFold, 2);
  limped.end({-5, -10, 15}, {0, 0, 30}, false);
  opened.act(0, 1, Act::kFold).act(0, 2, Act::kRaise).act(0, 0, Act::kCall, 2);
  opened.end({10, 0, -10}, {20, 0, 0}, true);
  Tally tally(Side::kHigh, 3, 1, strengths_by_top);
  tally.add(0, limped.hand());
  tally.add(1, opened.hand());
  const GameFigures f = tally.figures();
  expect(f.positions[0].opens, 0, 2);
  expect(f.positions[1].opens, 1, 1);
  expect(f.positions[1].chances, 0.5, 2);
  expect(f.positions[2].opens, 0, 0);
  expect(f.positions[2].chances, 0, 2);
  expect(f.answers.call, 1, 1);
  EXPECT_EQ(f.positions[0].weakest, -1);
  expect(f.draws[0].all.share, 0, 6);
}

TEST(DrawTally, TakesADealAsOneObservation) {
  Tally together(Side::kHigh, 2, 1, strengths_by_top), apart(Side::kHigh, 2, 1, strengths_by_top);
  for (int i = 0; i < 24; ++i) {
    const DrawHand played = i % 2 == 0 ? bluff() : straight();
    together.add(i / 2, played.hand());
    apart.add(i, played.hand());
  }
  EXPECT_DOUBLE_EQ(together.figures().positions[0].points.value, 25);
  EXPECT_FALSE(together.figures().positions[0].points.known()) << "all deals are equal";
  EXPECT_GT(apart.figures().positions[0].points.ci95, 1);
}

// Each draw of several has its own discards and the betting that follows it.
TEST(DrawTally, TellsDrawsApart) {
  DrawHand played({"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s"});
  played.act(0, 0, Act::kCheck).act(0, 1, Act::kCheck);
  played.draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 10, 0).draw(1, "", "Js 9h 7d 5c 3s", 10, 0);
  played.act(1, 0, Act::kCheck).act(1, 1, Act::kCheck);
  played.draw(0, "", "Ks Kh Qd Jc 7s", 10, 1).draw(1, "3s", "Js 9h 7d 5c 2d", 10, 1);
  played.act(2, 0, Act::kRaise).act(2, 1, Act::kFold, 0);
  played.end({10, -10}, {30, 0}, false);
  Tally tally(Side::kHigh, 2, 2, strengths_by_top);
  tally.add(0, played.hand());
  const GameFigures f = tally.figures();
  expect(f.draws[0].kinds[kind("pair")].thrown[3], 1, 1);
  expect(f.draws[1].kinds[kind("pair")].thrown[0], 1, 1);
  expect(f.draws[0].thrown[0].bets, 0, 1);
  expect(f.draws[1].thrown[0].bets, 1, 1);
  expect(f.draws[1].thrown[0].folds, 1, 1);
  expect(f.draws[0].thrown[0].folds, 0, 0);
}

}  // namespace
}  // namespace dealer::studies::draw::draw_figures_test
