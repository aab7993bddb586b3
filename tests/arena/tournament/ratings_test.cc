// Least-squares ratings: against what can be worked out by hand, and their intervals against known truths.
#include "arena/tournament/ratings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "arena/confidence.h"
#include "env/core/random.h"

namespace dealer::tournament::ratings_test {
namespace {

constexpr double kMany = 1e6;

TEST(Ratings, OfARoundRobinAreMeansOverTheField) {
  const std::vector<PairEstimate> pairs = {{0, 1, 1, 0.09, kMany}, {0, 2, 4, 0.36, kMany}, {1, 2, 1, 0.81, kMany}};
  const std::vector<Rating> ratings = rate(3, pairs);
  EXPECT_NEAR(ratings[0].value, 5.0 / 3, 1e-12);
  EXPECT_NEAR(ratings[1].value, 0, 1e-12);
  EXPECT_NEAR(ratings[2].value, -5.0 / 3, 1e-12);
  // A third of each of its own pairs, nothing of the others'.
  EXPECT_NEAR(ratings[0].ci95, 1.959963985 / 3 * std::sqrt(0.09 + 0.36), 1e-5);
  EXPECT_NEAR(ratings[1].ci95, 1.959963985 / 3 * std::sqrt(0.09 + 0.81), 1e-5);
  EXPECT_NEAR(ratings[2].ci95, 1.959963985 / 3 * std::sqrt(0.36 + 0.81), 1e-5);
  EXPECT_NEAR(explained_share(ratings, pairs), 1 - 2.0 / 27, 1e-12);
}

TEST(Ratings, DoNotCountWellKnownPairsForMore) {
  const std::vector<PairEstimate> pairs = {{0, 1, 1, 1e-9, kMany}, {0, 2, -1, 4, kMany}, {1, 2, 1, 4, kMany}};
  for (const Rating& rating : rate(3, pairs)) EXPECT_NEAR(rating.value, 0, 1e-12);
  EXPECT_NEAR(explained_share(rate(3, pairs), pairs), 0, 1e-12) << "all of it goes round";
}

TEST(Ratings, DegreesOfFreedomAreThoseOfTheUncertainPair) {
  // Of two agents: weights of a half.
  EXPECT_NEAR(rate(2, std::vector<PairEstimate>{{0, 1, 3, 4, 5}})[0].ci95, 2.571, 1e-9);
  EXPECT_NEAR(rate(2, std::vector<PairEstimate>{{0, 1, 3, 4, 5}})[0].value, 1.5, 1e-12);
  const std::vector<PairEstimate> pairs = {{0, 1, 0, 9, 4}, {0, 2, 0, 0, 1}, {1, 2, 0, 0, 1}};
  EXPECT_NEAR(rate(3, pairs)[0].ci95, student_t975(4) * 1, 1e-9);
  // Two equal ones: twice the degrees of freedom.
  const std::vector<PairEstimate> both = {{0, 1, 0, 9, 4}, {0, 2, 0, 9, 4}, {1, 2, 0, 0, 1}};
  EXPECT_NEAR(rate(3, both)[0].ci95, student_t975(8) * std::sqrt(2), 1e-9);
}

TEST(Ratings, AnExactPairIsExact) {
  const std::vector<Rating> ratings = rate(2, std::vector<PairEstimate>{{0, 1, 0, 0, 50}});
  EXPECT_TRUE(ratings[0].known);
  EXPECT_EQ(ratings[0].value, 0);
  EXPECT_EQ(ratings[0].ci95, 0);
}

TEST(Ratings, OfAGauntletReachThroughTheFirst) {
  const std::vector<PairEstimate> pairs = {{0, 1, 3, 1, kMany}, {0, 2, -6, 1, kMany}};
  const std::vector<Rating> ratings = rate(3, pairs);
  EXPECT_NEAR(ratings[0].value - ratings[1].value, 3, 1e-12);
  EXPECT_NEAR(ratings[0].value - ratings[2].value, -6, 1e-12);
  EXPECT_NEAR(ratings[0].value + ratings[1].value + ratings[2].value, 0, 1e-12);
  EXPECT_NEAR(ratings[1].ci95, 1.959963985 * std::sqrt(4.0 / 9 + 1.0 / 9), 1e-5);
  EXPECT_NEAR(explained_share(ratings, pairs), 1, 1e-12);
}

TEST(Ratings, ReachAsFarAsPairsDo) {
  // 1, 3 and 4 have met; 0 and 2 have met; of 0 and 1 nothing is known.
  const std::vector<PairEstimate> pairs = {
      {0, 1, 7, INFINITY, 1}, {0, 2, 5, 1, kMany}, {1, 3, 2, 1, kMany}, {3, 4, 1, 1, kMany}};
  const std::vector<Rating> ratings = rate(5, pairs);
  EXPECT_FALSE(ratings[0].known);
  EXPECT_FALSE(ratings[2].known);
  EXPECT_NEAR(ratings[1].value - ratings[3].value, 2, 1e-12);
  EXPECT_NEAR(ratings[3].value - ratings[4].value, 1, 1e-12);
  EXPECT_NEAR(explained_share(ratings, pairs), 1, 1e-12);
  const std::vector<PairEstimate> halves = {{2, 3, 1, 1, kMany}, {0, 1, 1, 1, kMany}};
  EXPECT_TRUE(rate(4, halves)[0].known) << "of equal groups that of the first";
  EXPECT_FALSE(rate(4, halves)[3].known);
  for (const Rating& alone : rate(2, {})) EXPECT_FALSE(alone.known);
}

// Payoffs that no ratings explain, pairs of which some are known much better than others, points that are skewed, deals
// of one or two hands: the intervals must cover what all deals would come to about 95 times in 100.
class RatingIntervals : public testing::TestWithParam<bool> {};

TEST_P(RatingIntervals, CoverTheTruth) {
  constexpr int kAgents = 4, kTrials = 1500;
  const bool gauntlet = GetParam();
  const double truth[kAgents][kAgents] = {{0, 1, -0.5, 2}, {-1, 0, 1, 0.25}, {0.5, -1, 0, 0}, {-2, -0.25, 0, 0}};
  std::vector<PairEstimate> exact;
  for (int a = 0; a < (gauntlet ? 1 : kAgents); ++a)
    for (int b = a + 1; b < kAgents; ++b) exact.push_back({a, b, truth[a][b], 0, kMany});
  const std::vector<Rating> right = rate(kAgents, exact);
  int covered[kAgents] = {};
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream rng(5, static_cast<std::uint64_t>(trial));
    std::vector<PairEstimate> pairs = exact;
    for (PairEstimate& pair : pairs) {
      const int deals = 30 * (1 + pair.b);
      ClusteredRatio points;
      for (int deal = 0; deal < deals; ++deal) {
        const double hands = 1 + rng.below(2);
        // An exponential of mean 1 less 1, larger where one of the pair is agent 2.
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
  for (const int count : covered) {
    EXPECT_GE(count, 0.93 * kTrials);
    EXPECT_LE(count, 0.97 * kTrials);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RatingIntervals, testing::Bool());

}  // namespace
}  // namespace dealer::tournament::ratings_test
