// Nash averaging: equilibria that are known, of the greatest entropy where there are several, and random games.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "arena/tournament/ratings.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "tests/support/error_message.h"

namespace dealer::tournament::nash_test {
namespace {

// From what stands above the diagonal, row by row.
Eigen::MatrixXd game(int agents, std::initializer_list<double> above) {
  Eigen::MatrixXd payoffs = Eigen::MatrixXd::Zero(agents, agents);
  const double* next = above.begin();
  for (int a = 0; a < agents; ++a) {
    for (int b = a + 1; b < agents; ++b) {
      payoffs(a, b) = *next;
      payoffs(b, a) = -*next++;
    }
  }
  EXPECT_EQ(next, above.end());
  return payoffs;
}

void expect_weights(const Eigen::MatrixXd& payoffs, const std::vector<double>& weights) {
  const NashAverage average = nash_average(payoffs);
  ASSERT_EQ(average.weights.size(), static_cast<Eigen::Index>(weights.size()));
  for (Eigen::Index i = 0; i < average.weights.size(); ++i)
    EXPECT_NEAR(average.weights(i), weights[static_cast<std::size_t>(i)], 1e-6) << i << '\n' << payoffs;
  EXPECT_NEAR(average.weights.sum(), 1, 1e-12);
  EXPECT_LE(average.exploitability, 1e-6 * std::max(1.0, payoffs.cwiseAbs().maxCoeff()));
  EXPECT_TRUE(average.payoffs.isApprox(payoffs * average.weights) || payoffs.isZero());
}

const Eigen::MatrixXd kRockPaperScissors = game(3, {-1, 1, -1});  // rock, paper, scissors

TEST(NashAverage, OfRockPaperScissors) {
  expect_weights(kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_weights(1e-3 * kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_weights(1e4 * kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  // Rock beats scissors by 2, scissors paper by 3, paper rock by 5: each plays as what the other two have between them.
  expect_weights(game(3, {-5, 2, -3}), {0.3, 0.2, 0.5});
}

TEST(NashAverage, OfWhoBeatsAllIsAlone) {
  expect_weights(game(3, {1, 2, 1}), {1, 0, 0});
  expect_weights(game(2, {-0.001}), {0, 1});
  expect_weights(game(4, {0.01, 600, 500, 600, 600, -200}), {1, 0, 0, 0});
  const NashAverage average = nash_average(game(3, {1, 2, 1}));
  EXPECT_NEAR(average.payoffs(1), -1, 1e-6);
  EXPECT_NEAR(average.payoffs(2), -2, 1e-6);
}

TEST(NashAverage, ACopyChangesNothing) {
  // Rock twice.
  expect_weights(game(4, {0, -1, 1, -1, 1, -1}), {1.0 / 6, 1.0 / 6, 1.0 / 3, 1.0 / 3});
  // The best twice.
  expect_weights(game(3, {0, 2, 2}), {0.5, 0.5, 0});
  // The worst twice.
  expect_weights(game(3, {2, 2, 0}), {1, 0, 0});
  expect_weights(Eigen::MatrixXd::Zero(5, 5), {0.2, 0.2, 0.2, 0.2, 0.2});
  expect_weights(Eigen::MatrixXd::Zero(1, 1), {1});
}

TEST(NashAverage, IsTheMostEvenThatNobodyBeats) {
  // The first two draw. The third beats the first by 3 and loses 1 to the second: the first may have a quarter.
  expect_weights(game(3, {0, -3, 1}), {0.25, 0.75, 0});
  // Here half would do.
  expect_weights(game(3, {0, -1, 3}), {0.5, 0.5, 0});
}

// Equilibria of random games are unique: nobody wins from them, and whoever would lose has no share. With agents
// entered twice the shares are halved.
TEST(NashAverage, OfRandomGamesIsOneThatNobodyBeats) {
  RandomStream rng(17);
  for (int trial = 0; trial < 60; ++trial) {
    const int agents = 2 + static_cast<int>(rng.below(11));
    Eigen::MatrixXd payoffs = Eigen::MatrixXd::Zero(agents, agents);
    for (int a = 0; a < agents; ++a)
      for (int b = a + 1; b < agents; ++b) {
        payoffs(a, b) = static_cast<double>(rng.uniform()) - 0.5 + 0.1 * (trial % 3) * (b - a);
        payoffs(b, a) = -payoffs(a, b);
      }
    const NashAverage average = nash_average(payoffs);
    EXPECT_LE(average.exploitability, 1e-6);
    EXPECT_NEAR(average.weights.sum(), 1, 1e-12);
    EXPECT_GE(average.weights.minCoeff(), 0);
    for (int a = 0; a < agents; ++a)
      EXPECT_LE(std::min(average.weights(a), -average.payoffs(a)), 1e-5) << trial << ' ' << a;
    Eigen::MatrixXd twice(2 * agents, 2 * agents);
    twice << payoffs, payoffs, payoffs, payoffs;
    const NashAverage copies = nash_average(twice);
    for (int a = 0; a < agents; ++a) {
      EXPECT_NEAR(copies.weights(a), average.weights(a) / 2, 1e-5) << trial;
      EXPECT_NEAR(copies.weights(a + agents), average.weights(a) / 2, 1e-5) << trial;
    }
  }
}

TEST(NashAverage, RefusesWhatIsNoGame) {
  Eigen::MatrixXd payoffs = kRockPaperScissors;
  payoffs(0, 1) = 3;
  const std::string refused =
      "payoffs of no game between two alike; expected a finite matrix that is minus its transpose";
  EXPECT_EQ(test::error_message<UsageError>([&] { nash_average(payoffs); }), refused);
  payoffs(0, 1) = NAN;
  EXPECT_EQ(test::error_message<UsageError>([&] { nash_average(payoffs); }), refused);
  EXPECT_EQ(test::error_message<UsageError>([&] { nash_average(Eigen::MatrixXd(0, 0)); }), refused);
  EXPECT_EQ(test::error_message<UsageError>([&] { nash_average(Eigen::MatrixXd::Zero(2, 3)); }), refused);
}

TEST(NashRanges, AreAsWideAsThePayoffsAreUncertain) {
  const auto ranges = [](double variance) {
    return nash_ranges(
        3, std::vector<PairEstimate>{{0, 1, -1, variance, 99}, {0, 2, 1, variance, 99}, {1, 2, -1, variance, 99}}, 4);
  };
  for (const NashRange& range : ranges(0)) {
    EXPECT_NEAR(range.low, 1.0 / 3, 1e-6);
    EXPECT_NEAR(range.high, 1.0 / 3, 1e-6);
  }
  for (const NashRange& range : ranges(0.0025)) {
    EXPECT_LT(range.low, 1.0 / 3 - 0.01);
    EXPECT_GT(range.high, 1.0 / 3 + 0.01);
    EXPECT_GT(range.low, 0.25);
    EXPECT_LT(range.high, 0.42);
  }
  for (const NashRange& range : ranges(100)) {
    EXPECT_LT(range.low, 0.01) << "nothing is known";
    EXPECT_GT(range.high, 0.99);
  }
  EXPECT_EQ(ranges(0.01)[1].low, ranges(0.01)[1].low) << "the same seed";
}

// The draws are as wide as the pair's 95% interval: a lead of exactly that interval stays one in 39 of 40.
TEST(NashRanges, DrawWithinTheIntervals) {
  const auto low = [](double mean) {
    return nash_ranges(2, std::vector<PairEstimate>{{0, 1, mean, 1, 1e6}}, 4)[0].low;
  };
  EXPECT_GT(low(1.959963985 * 1.25), 0.99);
  EXPECT_LT(low(1.959963985 * 0.75), 0.01);
}

}  // namespace
}  // namespace dealer::tournament::nash_test
