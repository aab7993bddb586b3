// Least-squares ratings against hand calculations, non-transitive cycles, and Nash averages: known equilibria, with
// maximum entropy if there are several.
#include "arena/tournament/ratings.h"

#include "arena/confidence.h"
#include "env/core/student_t.h"
#include "tests/arena/testing.h"

namespace dealer::tournament::ratings_test {
namespace {

using namespace test;

using Pairs = std::vector<PairEstimate>;

constexpr double kMany = 1e6, kNormal = 1.959963985;

TEST(Ratings, OfARoundRobinAreMeansOverTheField) {
  const Pairs pairs = {{0, 1, 1, 0.09, kMany}, {0, 2, 4, 0.36, kMany}, {1, 2, 1, 0.81, kMany}};
  const std::vector<Rating> ratings = rate(3, pairs);
  EXPECT_NEAR(ratings[0].value, 5.0 / 3, 1e-12);
  EXPECT_NEAR(ratings[1].value, 0, 1e-12);
  EXPECT_NEAR(ratings[2].value, -5.0 / 3, 1e-12);
  // A third of each of its own pairs, none of the others'.
  EXPECT_NEAR(ratings[0].ci95, 1.959963985 / 3 * std::sqrt(0.09 + 0.36), 1e-5);
  EXPECT_NEAR(ratings[1].ci95, 1.959963985 / 3 * std::sqrt(0.09 + 0.81), 1e-5);
  EXPECT_NEAR(ratings[2].ci95, 1.959963985 / 3 * std::sqrt(0.36 + 0.81), 1e-5);
  EXPECT_NEAR(explained_share(ratings, pairs), 1 - 2.0 / 27, 1e-12);
}

TEST(Ratings, DoNotCountWellKnownPairsForMore) {
  const Pairs pairs = {{0, 1, 1, 1e-9, kMany}, {0, 2, -1, 4, kMany}, {1, 2, 1, 4, kMany}};
  for (const Rating& rating : rate(3, pairs)) EXPECT_NEAR(rating.value, 0, 1e-12);
  EXPECT_NEAR(explained_share(rate(3, pairs), pairs), 0, 1e-12) << "all of it goes round";
}

TEST(Ratings, DegreesOfFreedomAreThoseOfTheUncertainPair) {
  // With two agents: weights of one half.
  EXPECT_NEAR(rate(2, Pairs{{0, 1, 3, 4, 5}})[0].ci95, 2.571, 1e-9);
  EXPECT_NEAR(rate(2, Pairs{{0, 1, 3, 4, 5}})[0].value, 1.5, 1e-12);
  const Pairs pairs = {{0, 1, 0, 9, 4}, {0, 2, 0, 0, 1}, {1, 2, 0, 0, 1}};
  EXPECT_NEAR(rate(3, pairs)[0].ci95, student_t975(4) * 1, 1e-9);
  // Two equal ones: twice the degrees of freedom.
  const Pairs both = {{0, 1, 0, 9, 4}, {0, 2, 0, 9, 4}, {1, 2, 0, 0, 1}};
  EXPECT_NEAR(rate(3, both)[0].ci95, student_t975(8) * std::sqrt(2), 1e-9);
}

TEST(Ratings, OfAGauntletReachThroughTheFirst) {
  const Pairs pairs = {{0, 1, 3, 1, kMany}, {0, 2, -6, 1, kMany}};
  const std::vector<Rating> ratings = rate(3, pairs);
  EXPECT_NEAR(ratings[0].value - ratings[1].value, 3, 1e-12);
  EXPECT_NEAR(ratings[0].value - ratings[2].value, -6, 1e-12);
  EXPECT_NEAR(ratings[0].value + ratings[1].value + ratings[2].value, 0, 1e-12);
  EXPECT_NEAR(ratings[1].ci95, 1.959963985 * std::sqrt(4.0 / 9 + 1.0 / 9), 1e-5);
  EXPECT_NEAR(explained_share(ratings, pairs), 1, 1e-12);
}

TEST(Ratings, ReachAsFarAsPairsDo) {
  // 1, 3 and 4 have met; 0 and 2 have met; the pair of 0 and 1 is unknown.
  const Pairs pairs = {{0, 1, 7, INFINITY, 1}, {0, 2, 5, 1, kMany}, {1, 3, 2, 1, kMany}, {3, 4, 1, 1, kMany}};
  const std::vector<Rating> ratings = rate(5, pairs);
  EXPECT_FALSE(ratings[0].known);
  EXPECT_FALSE(ratings[2].known);
  EXPECT_NEAR(ratings[1].value - ratings[3].value, 2, 1e-12);
  EXPECT_NEAR(ratings[3].value - ratings[4].value, 1, 1e-12);
  EXPECT_NEAR(explained_share(ratings, pairs), 1, 1e-12);
  const Pairs halves = {{2, 3, 1, 1, kMany}, {0, 1, 1, 1, kMany}};
  EXPECT_TRUE(rate(4, halves)[0].known) << "of equal groups that of the first";
  EXPECT_FALSE(rate(4, halves)[3].known);
  for (const Rating& alone : rate(2, {})) EXPECT_FALSE(alone.known);
}

// Non-transitive payoffs, pairs of very different precision, skewed points, deals of one or two hands: the intervals
// must cover the expected ratings about 95 times in 100.
class RatingIntervals : public testing::TestWithParam<bool> {};

TEST_P(RatingIntervals, CoverTheTruth) {
  constexpr int kAgents = 4, kTrials = 1500;
  const bool gauntlet = GetParam();
  const double truth[kAgents][kAgents] = {{0, 1, -0.5, 2}, {-1, 0, 1, 0.25}, {0.5, -1, 0, 0}, {-2, -0.25, 0, 0}};
  Pairs exact;
  for (int a = 0; a < (gauntlet ? 1 : kAgents); ++a)
    for (int b = a + 1; b < kAgents; ++b) exact.push_back({a, b, truth[a][b], 0, kMany});
  const std::vector<Rating> right = rate(kAgents, exact);
  int covered[kAgents] = {};
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream rng(5, static_cast<std::uint64_t>(trial));
    Pairs pairs = exact;
    for (PairEstimate& pair : pairs) {
      const int deals = 30 * (1 + pair.b);
      ClusteredRatio points;
      for (int deal = 0; deal < deals; ++deal) {
        const double hands = 1 + rng.below(2);
        // Exponential with mean 1, less 1; larger if one of the pair is agent 2.
        const double noise =
            (pair.a == 2 || pair.b == 2 ? 3 : 1) * (-std::log(1 - static_cast<double>(rng.uniform())) - 1);
        points.add(hands * pair.mean + noise, hands);
      }
      pair.mean = points.ratio();
      pair.variance = points.variance() / deals;
      pair.degrees_of_freedom = deals - 1;
    }
    const std::vector<Rating> ratings = rate(kAgents, pairs);
    for (std::size_t i = 0; i < kAgents; ++i)
      covered[i] += std::abs(ratings[i].value - right[i].value) <= ratings[i].ci95 ? 1 : 0;
  }
  for (const int count : covered) EXPECT_NEAR(count, 0.95 * kTrials, 0.02 * kTrials);
}

INSTANTIATE_TEST_SUITE_P(Formats, RatingIntervals, testing::Bool());

using Agents = std::vector<int>;

// With this half-width of the interval.
PairEstimate pair(int a, int b, double mean, double ci95) {
  return {a, b, mean, ci95 / kNormal * (ci95 / kNormal), kMany};
}

TEST(Cycles, AreFoundWhereEveryIntervalIsClearOfZero) {
  const Pairs pairs = {pair(0, 1, 2, 1), pair(1, 2, 3, 1), pair(0, 2, -4, 3.5)};
  const Cycles cycles = find_cycles(3, pairs);
  ASSERT_EQ(cycles.found, 1);
  EXPECT_EQ(cycles.shown[0].agents, (Agents{0, 1, 2}));
  EXPECT_EQ(cycles.shown[0].means, (std::vector<double>{2, 3, 4}));
  EXPECT_NEAR(cycles.shown[0].clear_by, 0.5, 1e-4);
  EXPECT_EQ(find_cycles(3, Pairs{pairs[0], pairs[1], pair(0, 2, -4, 4.5)}).found, 0);
  EXPECT_EQ(find_cycles(3, Pairs{pairs[0], pairs[1], pair(0, 2, 4, 1)}).found, 0) << "an order";
  EXPECT_EQ(find_cycles(3, Pairs{pairs[0], pairs[1], {0, 2, -4, INFINITY, 1}}).found, 0);
}

TEST(Cycles, GoTheWayOfWinning) {
  Pairs pairs = {pair(0, 1, -1, 0.1), pair(1, 2, -2, 0.1), pair(0, 2, 3, 0.1)};
  EXPECT_EQ(find_cycles(3, pairs).shown.at(0).agents, (Agents{0, 2, 1}));
  // 3 is like 2, whom it does not meet.
  pairs.insert(pairs.end(), {pair(1, 3, -2, 0.1), pair(0, 3, 3, 0.1)});
  EXPECT_EQ(find_cycles(4, pairs).found, 2);
}

// With three pairs 1.96 standard errors are no longer significant; 2.4 are.
TEST(Cycles, CertainOnesAllowForTheNumberOfPairs) {
  const auto certain = [](double errors) {
    const double mean = errors / kNormal;
    const Pairs pairs = {pair(0, 1, 9, 1), pair(1, 2, 9, 1), pair(0, 2, -mean, 1)};
    return find_cycles(3, pairs).shown.at(0).certain;
  };
  EXPECT_FALSE(certain(2.38));
  EXPECT_TRUE(certain(2.40));
}

TEST(Cycles, LongOnesAreShownWhereThereAreNoShortOnes) {
  // 0 beats 1 beats 2 beats 3 beats 0; across, no result is significant. 4 loses to all.
  Pairs pairs = {pair(0, 1, 1, 0.1), pair(1, 2, 1, 0.4), pair(2, 3, 1, 0.3), pair(0, 3, -1, 0.2),
                 pair(0, 2, 1, 2),   pair(1, 3, 1, 2),   pair(0, 4, 1, 0.1), pair(1, 4, 1, 0.1)};
  const Cycles cycles = find_cycles(5, pairs);
  ASSERT_EQ(cycles.found, 1);
  EXPECT_EQ(cycles.shown[0].agents, (Agents{0, 1, 2, 3}));
  EXPECT_NEAR(cycles.shown[0].clear_by, 0.6, 1e-4);
  // Once 0 beats 2, there is a cycle of three.
  pairs[4] = pair(0, 2, 1, 0.1);
  EXPECT_EQ(find_cycles(5, pairs).found, 1);
  EXPECT_EQ(find_cycles(5, pairs).shown[0].agents, (Agents{0, 2, 3}));
}

TEST(Cycles, TheClearestComeFirstAndTheRestIsCounted) {
  Pairs pairs;
  // Five agents: each beats the two that follow it.
  for (int a = 0; a < 5; ++a)
    for (int b = a + 1; b < 5; ++b) pairs.push_back(pair(a, b, b - a <= 2 ? 1 : -1, 0.1 + 0.05 * (a + b)));
  const Cycles all = find_cycles(5, pairs), some = find_cycles(5, pairs, 2);
  EXPECT_EQ(all.found, 5);
  ASSERT_EQ(all.shown.size(), 5U);
  for (std::size_t i = 1; i < all.shown.size(); ++i) EXPECT_GE(all.shown[i - 1].clear_by, all.shown[i].clear_by);
  EXPECT_EQ(some.found, 5);
  ASSERT_EQ(some.shown.size(), 2U);
  EXPECT_EQ(some.shown[1].agents, all.shown[1].agents);
}

// From the entries above the diagonal, row by row.
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
    EXPECT_NEAR(average.weights(i), weights[at(i)], 1e-6) << i << '\n' << payoffs;
  EXPECT_NEAR(average.weights.sum(), 1, 1e-12);
  EXPECT_LE(average.exploitability, 1e-6 * std::max(1.0, payoffs.cwiseAbs().maxCoeff()));
  EXPECT_LE((average.payoffs - payoffs * average.weights).cwiseAbs().maxCoeff(),
            1e-12 * std::max(1.0, payoffs.cwiseAbs().maxCoeff()));
}

const Eigen::MatrixXd kRockPaperScissors = game(3, {-1, 1, -1});  // rock, paper, scissors

TEST(NashAverage, OfRockPaperScissors) {
  expect_weights(kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_weights(1e-3 * kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_weights(1e4 * kRockPaperScissors, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  // Rock beats scissors by 2, scissors paper by 3, paper rock by 5: weights follow from the opposite results.
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

TEST(NashAverage, OfCopiesIsTheMostEvenThatNobodyBeats) {
  expect_weights(game(4, {0, -1, 1, -1, 1, -1}), {1.0 / 6, 1.0 / 6, 1.0 / 3, 1.0 / 3});  // rock twice
  expect_weights(game(3, {0, 2, 2}), {0.5, 0.5, 0});                                     // the best twice
  expect_weights(game(3, {2, 2, 0}), {1, 0, 0});                                         // the worst twice
  expect_weights(Eigen::MatrixXd::Zero(5, 5), {0.2, 0.2, 0.2, 0.2, 0.2});
  expect_weights(Eigen::MatrixXd::Zero(1, 1), {1});
  // The first two draw. The third beats the first by 3 and loses 1 to the second: the first may have a quarter.
  expect_weights(game(3, {0, -3, 1}), {0.25, 0.75, 0});
  expect_weights(game(3, {0, -1, 3}), {0.5, 0.5, 0});
}

// Equilibria of random games are unique: nobody wins against them, and losing agents have no weight. If agents are
// duplicated, the weights are halved.
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
      "the payoff matrix is not antisymmetric; expected a finite matrix equal to minus its transpose";
  Eigen::MatrixXd unknown = payoffs;
  unknown(0, 1) = NAN;
  for (const Eigen::MatrixXd& wrong : {payoffs, unknown, Eigen::MatrixXd(0, 0), Eigen::MatrixXd(2, 3)})
    EXPECT_EQ(error_message<UsageError>([&] { nash_average(wrong); }), refused);
}

TEST(NashRanges, AreAsWideAsThePayoffsAreUncertain) {
  const auto ranges = [](double variance) {
    return nash_ranges(3, Pairs{{0, 1, -1, variance, 99}, {0, 2, 1, variance, 99}, {1, 2, -1, variance, 99}}, 4);
  };
  const auto expect = [&](double variance, double least, double low, double high, double most) {
    for (const NashRange& range : ranges(variance)) {
      EXPECT_TRUE(least < range.low && range.low < low) << variance << ' ' << range.low;
      EXPECT_TRUE(high < range.high && range.high < most) << variance << ' ' << range.high;
    }
  };
  const double third = 1.0 / 3;
  expect(0, third - 1e-6, third + 1e-6, third - 1e-6, third + 1e-6);
  expect(0.0025, 0.25, third - 0.01, third + 0.01, 0.42);
  expect(100, -1, 0.01, 0.99, 2);  // nothing is known
  EXPECT_EQ(ranges(0.01)[1].low, ranges(0.01)[1].low) << "the same seed";
}

// The draws are as wide as the pair's 95% interval: a lead of exactly that interval persists in 39 of 40.
TEST(NashRanges, DrawWithinTheIntervals) {
  const auto low = [](double mean) { return nash_ranges(2, Pairs{{0, 1, mean, 1, 1e6}}, 4)[0].low; };
  EXPECT_GT(low(1.959963985 * 1.25), 0.99);
  EXPECT_LT(low(1.959963985 * 0.75), 0.01);
}

}  // namespace
}  // namespace dealer::tournament::ratings_test
