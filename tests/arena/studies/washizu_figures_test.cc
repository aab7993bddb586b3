// The figures of the study of Washizu poker on hands put down by hand, counted by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "arena/studies/washizu/slope.h"
#include "arena/studies/washizu/tally.h"
#include "tests/arena/studies/draw_support.h"

namespace dealer::studies::washizu::washizu_figures_test {
namespace {

using poker::Act;
using test::DrawHand;

// Spades are transparent, and a hand is worth its highest rank.
CardsOf spades() {
  return {
      .visible = [](CardId card) { return suit_of(static_cast<Card>(card)) == 0; },
      .value =
          [](const poker::Five& hand) { return static_cast<HandValue>(rank_of(static_cast<Card>(hand.back())) + 1); }};
}

void expect(const Estimate& estimate, double value, double count) {
  EXPECT_DOUBLE_EQ(estimate.value, value);
  EXPECT_DOUBLE_EQ(estimate.count, count);
}

// Seat 0 has two spades and throws one of them and two others for a nine high with four; it raises, seat 1 with an ace
// high and no spade any more folds.
DrawHand bluff() {
  DrawHand played({"Ks 5s 9d 4c 2h", "As Qh 7d 5c 3h"});
  played.draw(0, "Ks 9d 2h", "5s 4c 6s 8s 9s", 1).draw(1, "As", "Ah Qh 7d 5c 3h", 1);
  played.act(1, 0, Act::kRaise).act(1, 1, Act::kFold, 0);
  return played.end({1, -1}, {4, 0}, false);
}

// Seat 0, jack high with one spade, calls; seat 1 raises with kings high and none, seat 0 raises back, both go on.
DrawHand called() {
  DrawHand played({"Js 9h 7d 5c 3h", "Kh Qd 8d 6c 4h"});
  played.draw(0, "", "Js 9h 7d 5c 3h", 1).draw(1, "", "Kh Qd 8d 6c 4h", 1);
  played.act(1, 0, Act::kCall).act(1, 1, Act::kRaise).act(1, 0, Act::kRaise, 1).act(1, 1, Act::kCall, 0);
  return played.end({-8, 8}, {0, 16}, true);
}

class TwoWashizuHands : public testing::Test {
 protected:
  TwoWashizuHands() {
    Tally tally(spades());
    tally.add(0, bluff().hand());
    tally.add(1, called().hand());
    f_ = tally.figures();
  }
  GameFigures f_;
};

TEST_F(TwoWashizuHands, CountByVisibleCards) {
  expect(f_.visible_dealt, (2 + 1 + 1 + 0) / 4.0, 4);
  expect(f_.visible_held, (4 + 0 + 1 + 0) / 4.0, 4);
  expect(f_.dealt[2].share, 0.25, 4);
  expect(f_.dealt[2].points, 1, 1);
  expect(f_.dealt[1].share, 0.5, 4);
  expect(f_.dealt[1].points, (-1 - 8) / 2.0, 2);
  expect(f_.dealt[1].folds, 0.5, 2);
  expect(f_.dealt[3].points, 0, 0);
  expect(f_.held[4].wins, 1, 1);
  expect(f_.held[4].shown, 0, 1);
  expect(f_.held[0].points, (-1 + 8) / 2.0, 2);
  expect(f_.held[0].wins, 0.5, 2);
  expect(f_.held[0].folds, 0.5, 2);
  expect(f_.held[0].shown, 0.5, 2);
  // Nine, jack, king, ace: each is above half of itself and the weaker ones.
  expect(f_.held[4].strength, 0.5 / 4, 1);
  expect(f_.held[0].strength, (3.5 + 2.5) / 8, 2);
  expect(f_.other[4].points, -1, 1);
  expect(f_.other[1].points, 8, 1);
  expect(f_.other[0].points, (1 - 8) / 2.0, 2);
}

TEST_F(TwoWashizuHands, CountThrownCards) {
  // Spades: king, five and ace, of which king and ace go; and the jack, which stays.
  expect(f_.thrown_visible, 2.0 / 4, 4);
  expect(f_.thrown_hidden, 2.0 / 16, 16);
  expect(f_.thrown_visible_hidden, 2.0 / 4 - 2.0 / 16, 20);
}

TEST_F(TwoWashizuHands, CountDecisions) {
  // Nobody has raised: the bluff, the call, the raise of a king, which is above two thirds of half of four hands.
  expect(f_.all.first.raise, 2.0 / 3, 3);
  expect(f_.all.first.call, 1.0 / 3, 3);
  expect(f_.all.first.fold, 0, 3);
  expect(f_.all.thirds[kWeak].raise, 1, 1);
  expect(f_.all.thirds[kMiddle].raise, 0.5, 2);
  expect(f_.all.thirds[kStrong].raise, 0, 0);
  expect(f_.all.bluffs, 0.5, 2);
  expect(f_.all.answers.fold, 1.0 / 3, 3);
  expect(f_.all.answers.raise, 1.0 / 3, 3);
  expect(f_.own[4].bluffs, 1, 1);
  expect(f_.own[4].first.raise, 1, 1);
  expect(f_.own[1].first.call, 1, 1);
  expect(f_.own[1].answers.raise, 1, 1);
  expect(f_.own[0].answers.fold, 0.5, 2);
  expect(f_.against[4].answers.fold, 1, 1);
  expect(f_.against[1].answers.call, 1, 1);
  expect(f_.against[0].answers.raise, 1, 1);
  expect(f_.against[0].first.raise, 0.5, 2);
  expect(f_.against[1].first.raise, 1, 1);
  expect(f_.folds_many_few, 1, 3);
  EXPECT_GT(f_.folds_many_few.ci95, 0.9);
}

TEST_F(TwoWashizuHands, MeasureWhatACardIsWorth) {
  // Dealt 2, 1, 1, 0 and points 1, -1, -8, 8: the mean of both is known, so the slope is the sum of products by
  // squares.
  EXPECT_NEAR(f_.worth_dealt.value, (1 * 1 + 0 + 0 + -1 * 8) / 2.0, 1e-12);
  EXPECT_NEAR(f_.worth_held.value,
              (2.75 * 1 + -1.25 * -1 + -0.25 * -8 + -1.25 * 8) / (2.75 * 2.75 + 2 * 1.25 * 1.25 + 0.25 * 0.25), 1e-12);
  EXPECT_EQ(f_.worth_dealt.count, 4);
  EXPECT_EQ(f_.worth_like.count, 0) << "no two hands are of like strength";
}

TEST(WashizuTally, ComparesManyCardsWithFew) {
  // Weak hands with three transparent cards and more call, those with one or none raise; two count for neither.
  const auto weak_raises = [](const std::string& cards, Act::Kind kind) {
    DrawHand played({cards, "As Ah Ad Ac Kh"});
    played.draw(0, "", cards, 1).draw(1, "", "As Ah Ad Ac Kh", 1);
    played.act(1, 0, kind).act(1, 1, Act::kRaise, kind == Act::kRaise ? 0 : -1).act(1, 0, Act::kFold, 1);
    return played.end({-2, 2}, {0, 4}, false);
  };
  Tally tally(spades());
  tally.add(0, weak_raises("2s 3s 4s 5d 7h", Act::kCall).hand());
  tally.add(1, weak_raises("2h 3h 4s 5d 7h", Act::kRaise).hand());
  tally.add(2, weak_raises("2h 3h 4h 5d 7h", Act::kRaise).hand());
  tally.add(3, weak_raises("2h 3h 4s 5s 7h", Act::kRaise).hand());
  const GameFigures f = tally.figures();
  expect(f.bluffs_many_few, -1, 3);
  expect(f.value_many_few, 0, 0);
  expect(f.own[3].thirds[kWeak].raise, 0, 1);
  expect(f.own[2].thirds[kWeak].raise, 1, 1);
}

TEST(WashizuTally, TakesTheMostOfAnOpponentWhoIsStillIn) {
  const std::vector<std::string> cards = {"2h 3h 4h 5d 7h", "As Ks Qs 9d 8d", "Js Ts 9h 8h 6h"};
  DrawHand played(cards);
  played.act(1, 0, Act::kCall).act(1, 1, Act::kFold).act(1, 2, Act::kRaise).act(1, 0, Act::kFold, 2);
  played.end({-2, -1, 3}, {0, 0, 5}, false);
  Tally tally(spades());
  tally.add(0, played.hand());
  const GameFigures f = tally.figures();
  expect(f.against[3].first.call, 1, 1);
  expect(f.against[2].first.fold, 1, 1);
  expect(f.against[0].first.raise, 1, 1);
  expect(f.against[2].answers.fold, 1, 1);
  expect(f.other[3].points, (-2 + 3) / 2.0, 2);
  expect(f.other[2].points, -1, 1);
}

// Who is out of the match does not count.
TEST(WashizuTally, LeavesOutWhoIsOut) {
  poker::Hand hand = bluff().hand();
  hand.players = 3;
  Tally tally(spades());
  tally.add(0, hand);
  EXPECT_EQ(tally.figures().visible_dealt.count, 2);
}

TEST(WashizuSlope, IsThatOfTheLineWithinGroups) {
  Slope whole(1), within(2);
  for (int cluster = 0; cluster < 50; ++cluster) {
    const double x = cluster % 5, noise = (cluster / 5) % 2 == 0 ? 0.5 : -0.5;
    const int group = cluster % 2;
    whole.add(cluster, x, 2 * x + 3 + noise);
    // Another height in each group.
    within.add(cluster, x, -x + 100 * group + noise, group);
  }
  EXPECT_NEAR(whole.estimate().value, 2, 1e-9);
  EXPECT_NEAR(within.estimate().value, -1, 0.1);
  EXPECT_EQ(whole.estimate().count, 50);
  // By the formula for the slope: its standard error is that of the noise over the root of the squares of x.
  EXPECT_NEAR(whole.estimate().ci95, 2.01 * 0.5 / std::sqrt(50 * 2.0), 0.01);
  Slope level(1);
  level.add(0, 3, 1);
  level.add(1, 3, 5);
  EXPECT_FALSE(level.estimate().known());
}

}  // namespace
}  // namespace dealer::studies::washizu::washizu_figures_test
