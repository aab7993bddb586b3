// The figures of the study of Washizu poker on hand-made hands, counted by hand.
#include "arena/studies/washizu/counter.h"
#include "arena/studies/washizu/slope.h"
#include "tests/arena/studies/draw_support.h"

namespace dealer::studies::washizu::washizu_figures_test {
namespace {

using namespace test;
using poker::Act;

// Spades are transparent, and the value of a hand is its highest rank.
CardsOf spades() {
  return {
      .visible = [](CardId card) { return suit_of(static_cast<Card>(card)) == 0; },
      .value =
          [](const poker::Five& hand) { return static_cast<HandValue>(rank_of(static_cast<Card>(hand.back())) + 1); }};
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

TEST(WashizuCounter, CountsTwoHands) {
  Counter counter(spades());
  counter.add(0, bluff().hand());
  counter.add(1, called().hand());
  const Figure f = counter.figures();
  // Thrown spades: of king, five and ace king and ace go; the jack stays. Final hands from weak to strong: nine, jack,
  // king, ace; each is above half of itself and the weaker ones. Worth of cards dealt: 2, 1, 1, 0 and points 1, -1, -8,
  // 8; the mean of both is known, so the slope is the sum of products by squares.
  expect_figures(f, R"(
    cards: dealt=1*4 held=5/4*4 thrown_visible=2/4*4 thrown_hidden=2/16*16
    by_dealt: 2/share=0.25*4 2/points=1*1 1/share=0.5*4 1/points=-9/2*2 1/folds=0.5*2 3/points=0*0
    by_held/4: wins=1*1 shown=0*1 strength=1/8*1
    by_held/0: points=7/2*2 wins=0.5*2 folds=0.5*2 shown=0.5*2 strength=6/8*2
    by_other: 4/points=-1*1 1/points=8*1 0/points=-7/2*2
    differences: thrown_visible_hidden=3/8*20 folds_many_few=1*3
    betting/all/first: raise=2/3*3 call=1/3*3 fold=0*3 weak/raise=1*1 middle/raise=0.5*2 strong/raise=0*0
    betting/all: bluffs=0.5*2 answers/fold=1/3*3 answers/raise=1/3*3
    betting/own: 4/bluffs=1*1 4/first/raise=1*1 1/first/call=1*1 1/answers/raise=1*1 0/answers/fold=0.5*2
    betting/against: 4/answers/fold=1*1 1/answers/call=1*1 0/answers/raise=1*1 0/first/raise=0.5*2 1/first/raise=1*1
    worth: dealt=-7/2*4 held=-4/10.75*4 like=0*0
  )");
  EXPECT_GT(f.estimate("differences/folds_many_few").ci95, 0.9);
}

// Players who are out of the match, or have not drawn, are not counted.
TEST(WashizuCounter, CountsThoseWhoWereDealtInAndDrew) {
  poker::Hand hand = bluff().hand();
  Counter two(spades()), one_is_out(spades()), nobody_drew(spades());
  two.add(0, hand);
  hand.players = 3;
  one_is_out.add(0, hand);
  EXPECT_EQ(one_is_out.figures().to_json(), two.figures().to_json());
  for (auto& draws : hand.draws) draws[0].drew = false;
  nobody_drew.add(0, hand);
  EXPECT_EQ(nobody_drew.figures().estimate("cards/held").count, 2);
  for (const char* cards : {"cards/thrown_visible", "cards/thrown_hidden"})
    EXPECT_EQ(nobody_drew.figures().estimate(cards).count, 0);
}

TEST(WashizuSlope, IsThatOfTheLineWithinGroups) {
  Slope whole(1), within(2);
  for (int cluster = 0; cluster < 50; ++cluster) {
    const double x = cluster % 5, noise = (cluster / 5) % 2 == 0 ? 0.5 : -0.5;
    const int group = cluster % 2;
    whole.add(cluster, x, 2 * x + 3 + noise);
    // Another intercept in each group.
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

TEST(WashizuStudy, ComesToWhatItDid) {
  expect_recorded("washizu", "games=[washizu,\"washizu[players=2,washizu=add]\"] agents=[random] deals=20");
}

}  // namespace
}  // namespace dealer::studies::washizu::washizu_figures_test
