// What Fantasyland is worth, on chains whose answer is known.
#include <gtest/gtest.h>

#include <cmath>

#include "arena/confidence.h"
#include "arena/studies/fantasyland/chain.h"
#include "env/core/random.h"
#include "tests/arena/studies/fantasyland_support.h"
#include "tests/arena/studies/figure_support.h"

namespace dealer::studies::fantasyland::fantasyland_chain_test {
namespace {

using test::bare_hand;

// One deal each: the normal hand in which seat 0 enters, then a hand that ends the chain.
void add_single(ChainCounter& counter, std::int64_t deal, Seat dealer, double points) {
  counter.add(deal, bare_hand(dealer, {false, false}, {true, false}, 50));
  counter.add(deal, bare_hand(dealer, {true, false}, {false, false}, points));
}

TEST(FantasylandChain, WithoutStayingItIsTheMean) {
  ChainCounter counter;
  ClusteredRatio dealer, other;
  const std::array<double, 6> points = {4, 10, -2, 7, 13, 1};
  for (std::size_t deal = 0; deal < 12; ++deal) {  // twice the same
    const std::size_t i = deal % 6;
    add_single(counter, static_cast<std::int64_t>(deal), i < 4 ? 0 : 1, points[i]);
    (i < 4 ? dealer : other).add(points[i], 1);
  }
  const Figure f = counter.figures();
  test::expect_figures(f, R"(
    : value=11.75/2*12 direct=33/6 normal=0.5 alone/share=0.5 alone/points=5.5 alone/next/nobody=1
    values: dealer=4.75 other=7 both=0*0
  )");
  // Both means are of deals of their own, so their errors add up in squares.
  const double t = student_t975(11), d = 4.75;
  const double squares = (std::pow(4 - d, 2) + std::pow(10 - d, 2) + std::pow(-2 - d, 2) + std::pow(7 - d, 2)) / 16 +
                         (std::pow(13 - 7.0, 2) + std::pow(1 - 7.0, 2)) / 4;
  EXPECT_NEAR(f.estimate("value").ci95, t * std::sqrt(squares / 2 / 4 * 12 / 11), 1e-9);
}

TEST(FantasylandChain, StayingIsWorthItselfAgain) {
  ChainCounter counter;
  // Who deals stays in every other hand: v = 6 + v / 2. Who does not never stays: 8.
  for (const std::int64_t deal : {0, 1}) {
    counter.add(deal, bare_hand(0, {false, false}, {true, false}, 3));
    counter.add(deal, bare_hand(0, {true, false}, {true, false}, 5));
    counter.add(deal, bare_hand(0, {true, false}, {false, false}, 7));
  }
  add_single(counter, 2, 1, 8);
  const Figure f = counter.figures();
  test::expect_figures(f, ": values/dealer=12 values/other=8 value=10 direct=32/3 dealer/next/same=0.5");
}

// Seats change nothing but the sign.
TEST(FantasylandChain, IsToldForWhoIsThere) {
  ChainCounter counter;
  counter.add(0, bare_hand(0, {false, false}, {false, true}, 3));
  counter.add(0, bare_hand(0, {false, true}, {false, false}, -9));  // the other, seat 1, wins 9
  counter.add(1, bare_hand(1, {false, false}, {false, true}, 3));
  counter.add(1, bare_hand(1, {false, true}, {false, false}, -5));
  const Figure f = counter.figures();
  test::expect_figures(f, ": values/other=9 values/dealer=5 direct=7");
}

TEST(FantasylandChain, EnteringTogetherIsNotEnteringAlone) {
  ChainCounter counter;
  counter.add(0, bare_hand(0, {false, false}, {true, true}, 3));
  counter.add(0, bare_hand(0, {true, true}, {false, false}, 4));
  add_single(counter, 1, 0, 6);
  add_single(counter, 2, 1, 6);
  const Figure f = counter.figures();
  test::expect_figures(f, ": direct=6*2 values/both=4");
}

TEST(FantasylandChain, SaysNothingWithoutHands) {
  ChainCounter counter;
  counter.add(0, bare_hand(0, {false, false}, {false, false}, 3));
  EXPECT_FALSE(counter.figures().estimate("value").known());
  EXPECT_EQ(counter.figures().estimate("value").count, 0);
}

// A chain made up: in each state the mean points of who is there, and the chances of the steps.
struct MadeUp {
  std::array<double, kChainStates> points = {6, 5, 0.5};
  std::array<std::array<double, kBothNext + 1>, kChainStates> chance = {
      {{0.6, 0.15, 0.15, 0.1}, {0.5, 0.2, 0.1, 0.2}, {0.55, 0.2, 0.1, 0.15}}};

  // v = r + P v, by going on for long.
  std::array<double, kChainStates> values() const {
    double d = 0, o = 0, b = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto& [cd, co, cb] = chance;
      const double nd = points[0] + cd[kSameNext] * d - cd[kSwappedNext] * o + cd[kBothNext] * b;
      const double no = points[1] + co[kSameNext] * o - co[kSwappedNext] * d - co[kBothNext] * b;
      const double nb = points[2] + cb[kSameNext] * d - cb[kSwappedNext] * o + cb[kBothNext] * b;
      d = nd, o = no, b = nb;
    }
    return {d, o, b};
  }

  void play(ChainCounter& counter, std::int64_t deal, RandomStream& rng) const {
    const Seat dealer = static_cast<Seat>(rng.below(2));
    std::array<bool, 2> there{}, next{};
    const auto by_role = [&](bool of_dealer, bool of_other) {
      std::array<bool, 2> seats{};
      seats[static_cast<std::size_t>(dealer)] = of_dealer;
      seats[static_cast<std::size_t>(1 - dealer)] = of_other;
      return seats;
    };
    next = by_role(rng.below(2) == 0, rng.below(2) == 0);
    counter.add(deal, bare_hand(dealer, there, next, 1));
    while (next[0] || next[1]) {
      there = next;
      const bool of_dealer = there[static_cast<std::size_t>(dealer)],
                 of_other = there[static_cast<std::size_t>(1 - dealer)];
      const int state = !of_other ? kDealerThere : !of_dealer ? kOtherThere : kBothThere;
      const auto s = static_cast<std::size_t>(state);
      double left = rng.uniform();
      int step = 0;
      while (step < kBothNext && left >= chance[s][static_cast<std::size_t>(step)])
        left -= chance[s][static_cast<std::size_t>(step++)];
      const bool own = step == kSameNext || step == kBothNext, other = step == kSwappedNext || step == kBothNext;
      next = state == kOtherThere ? by_role(other, own) : by_role(own, other);
      const double won = points[s] + (rng.below(2) == 0 ? 12 : -12);
      const bool is_dealers = state != kOtherThere;
      const double of_seat_0 = (dealer == 0) == is_dealers ? won : -won;
      counter.add(deal, bare_hand(dealer, there, next, of_seat_0));
    }
  }
};

TEST(FantasylandChain, FindsTheValueOfAMadeUpChain) {
  const MadeUp chain;
  const auto [dealer, other, both] = chain.values();
  const double value = (dealer + other) / 2;
  constexpr int kStudies = 400, kDeals = 250;
  int covered = 0, covered_both = 0;
  double sum = 0;
  RandomStream rng(5);
  for (int study = 0; study < kStudies; ++study) {
    ChainCounter counter;
    for (int deal = 0; deal < kDeals; ++deal) chain.play(counter, deal, rng);
    const Figure f = counter.figures();
    const Estimate found = f.estimate("value"), found_both = f.estimate("values/both");
    ASSERT_TRUE(found.known());
    sum += found.value;
    covered += found.low() <= value && value <= found.high() ? 1 : 0;
    covered_both += found_both.low() <= both && both <= found_both.high() ? 1 : 0;
  }
  EXPECT_NEAR(sum / kStudies, value, 0.15);
  EXPECT_GT(covered, 0.915 * kStudies);
  EXPECT_LT(covered, 0.985 * kStudies);
  EXPECT_GT(covered_both, 0.915 * kStudies);
  EXPECT_LT(covered_both, 0.985 * kStudies);
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_chain_test
