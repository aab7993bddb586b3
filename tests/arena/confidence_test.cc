// Clustered means with intervals, and the stopping rules based on them.
#include "arena/confidence.h"

#include "tests/arena/testing.h"

namespace dealer::confidence_test {
namespace {

using namespace test;

TEST(ClusteredRatio, IsTheRatioOfTheTotals) {
  ClusteredRatio ratio;
  ratio.add(6, 2);
  ratio.add(-3, 1);
  ratio.add(5, 5);
  EXPECT_EQ(ratio.clusters(), 3);
  EXPECT_DOUBLE_EQ(ratio.ratio(), 8.0 / 8.0);
  // Residuals y - r n: 4, -4, 0; t of two degrees of freedom.
  EXPECT_NEAR(ratio.half_width95(), 4.303 * std::sqrt(3.0 / 2.0 * 32.0) / 8.0, 1e-12);
}

// For 1, 2, 3 and 4 it is 5/3. For 6 in 2 hands and 2 in 2 the residuals about 2 a hand are 2 and -2: 8, and two hands
// are a cluster of the usual size.
TEST(ClusteredRatio, TheVarianceIsThatOfACluster) {
  ClusteredRatio equal;
  for (const double y : {1.0, 2.0, 3.0, 4.0}) equal.add(y, 1);
  EXPECT_DOUBLE_EQ(equal.ratio(), 2.5);
  EXPECT_NEAR(equal.variance(), 5.0 / 3.0, 1e-12);
  EXPECT_NEAR(equal.half_width95(), 3.182 * std::sqrt(5.0 / 3.0 / 4.0), 1e-12) << "the usual interval";
  ClusteredRatio longer;
  longer.add(6, 2);
  EXPECT_TRUE(std::isinf(longer.variance()));
  longer.add(2, 2);
  EXPECT_NEAR(longer.variance(), 8.0 / 4.0, 1e-12);
  EXPECT_NEAR(longer.half_width95(), 12.706 * std::sqrt(longer.variance() / 2), 1e-12);
}

TEST(ClusteredRatio, OfEqualClustersIsExactAndOfOneUnknown) {
  ClusteredRatio zeros, thirds, one;
  for (int i = 1; i <= 50; ++i) {
    zeros.add(0, i);
    thirds.add(i, 3 * i);
  }
  EXPECT_EQ(zeros.ratio(), 0);
  EXPECT_EQ(zeros.half_width95(), 0);
  EXPECT_TRUE(std::isinf(thirds.half_width95())) << "fifty equal results say nothing of the variance";
  for (int i = 1; i <= 50; ++i) thirds.add(i, 3 * i);
  EXPECT_NEAR(thirds.half_width95(), 0, 1e-7);
  for (const double ratio : {0.0, 3.0}) {
    EXPECT_EQ(one.ratio(), ratio);
    EXPECT_TRUE(std::isinf(one.half_width95()));
    one.add(3, 1);
  }
}

// Against tables of Student's t: of 1 degree 3/4 lie below 1, of 4 degrees 0.975 below 2.776.
TEST(Superiority, IsTheShareOfStudentsTAboveZero) {
  for (const auto& [t, degrees, likelihood] :
       {std::tuple(1.0, 1.0, 0.75), {2.776, 4.0, 0.975}, {2.228, 10.0, 0.975}, {1.0, 1e6, 0.8413}, {0.0, 5.0, 0.5}}) {
    EXPECT_NEAR(likelihood_of_superiority(3 * t, 3, degrees), likelihood, 0.003) << t;
    EXPECT_NEAR(likelihood_of_superiority(-3 * t, 3, degrees), 1 - likelihood, 0.003) << t;
  }
  EXPECT_EQ(likelihood_of_superiority(0, 0, 9), 0.5);
  EXPECT_TRUE(std::isnan(likelihood_of_superiority(1, 0, 9)));
  EXPECT_TRUE(std::isnan(likelihood_of_superiority(1, INFINITY, 9)));
}

// 100 deals of 1 and -0.6 by turns: mean 0.2, standard deviation 0.8: (1.96 x 0.8 / 0.2)^2 = 62; with a tenth of that
// mean a hundred times as many.
TEST(Superiority, AndTheDealsThatWouldDecide) {
  ClusteredRatio clear, close, alike;
  for (int i = 0; i < 100; ++i) {
    clear.add(i % 2 == 0 ? 1 : -0.6, 1);
    close.add(i % 2 == 0 ? 0.82 : -0.78, 1);
    alike.add(1, 1);
  }
  EXPECT_NEAR(clusters_to_decide(clear), 62, 3);
  EXPECT_NEAR(clusters_to_decide(close) / clusters_to_decide(clear), 100, 1e-6);
  EXPECT_GT(clear.superiority(), 0.99);
  EXPECT_NEAR(close.superiority(), 0.6, 0.01);
  EXPECT_TRUE(std::isinf(clusters_to_decide(alike)));
  EXPECT_TRUE(std::isnan(alike.superiority()));
  EXPECT_TRUE(std::isnan(ClusteredRatio().superiority()));
}

TEST(ClusteredRatio, MergesLikeOne) {
  ClusteredRatio whole, first, second;
  for (int i = 0; i < 20; ++i) {
    whole.add(i * i % 7, i % 3 + 1);
    (i < 8 ? first : second).add(i * i % 7, i % 3 + 1);
  }
  first.merge(second);
  EXPECT_EQ(first.clusters(), whole.clusters());
  EXPECT_EQ(first.ratio(), whole.ratio());
  EXPECT_EQ(first.half_width95(), whole.half_width95());
}

// Clusters of one to three correlated values: the interval must cover the truth about 95 times in 100, which it would
// not if the values were treated as independent.
TEST(ClusteredRatio, CoversTheTruth) {
  constexpr int kTrials = 2000;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream rng(17, static_cast<std::uint64_t>(trial));
    ClusteredRatio ratio;
    for (int i = 0; i < 60; ++i) {
      const auto size = static_cast<int>(1 + rng.below(3));
      const double shared = 4.0 * static_cast<double>(rng.uniform());
      double sum = 0;
      for (int k = 0; k < size; ++k) sum += shared + static_cast<double>(rng.uniform());
      ratio.add(sum, size);
    }
    covered += std::abs(ratio.ratio() - 2.5) <= ratio.half_width95() ? 1 : 0;
  }
  // Four standard errors either way.
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.95, 0.02);
}

TEST(Sprt, EqualResultsDecide) {
  ClusteredRatio none, some;
  for (int i = 0; i < 99; ++i) none.add(0, 1), some.add(2, 1);
  EXPECT_EQ(log_likelihood_ratio(none, {0, 1}), 0);
  none.add(0, 1), some.add(2, 1);
  EXPECT_EQ(decide(log_likelihood_ratio(none, {0, 1})), SprtDecision::kH0);
  EXPECT_EQ(decide(log_likelihood_ratio(some, {0, 1})), SprtDecision::kH1);
  EXPECT_EQ(decide(log_likelihood_ratio(none, {-1, 1})), SprtDecision::kNone);
}

TEST(Sprt, TheRatioIsThatOfNormalMeans) {
  ClusteredRatio points;
  for (const double y : {1.0, 2.0, 3.0, 4.0}) points.add(y, 1);
  // Variance 5/3 and mean 2.5: the logarithm of exp(-(y - 1)^2 / 2v) / exp(-(y - 0)^2 / 2v), over the four values.
  const double v = 5.0 / 3.0;
  double sum = 0;
  for (const double y : {1.0, 2.0, 3.0, 4.0}) sum += (y * y - (y - 1) * (y - 1)) / (2 * v);
  EXPECT_NEAR(log_likelihood_ratio(points, {0, 1}), sum, 1e-12);
  EXPECT_NEAR(log_likelihood_ratio(points, {1, 0}), -sum, 1e-12);
  EXPECT_NEAR(log_likelihood_ratio(points, {0, 5}), 0, 1e-12);
}

// By hand: variance 9 and third moment 72 about the mean 0, so that points with the mean m have the variance 9 + 8 m.
TEST(Sprt, SkewedPointsHaveAnotherVarianceWithAnotherMean) {
  ClusteredRatio points;
  for (int i = 0; i < 1000; ++i) points.add(i % 10 == 0 ? 9 : -1, 1);
  const double n = 1000, v = points.variance();
  EXPECT_NEAR(points.skewness(), 72.0 / 27, 1e-9);
  // The integral of -m / (v + b m).
  const double b = points.skewness() * std::sqrt(v);
  const auto integral = [&](double m) { return -m / b + v / (b * b) * std::log(v + b * m); };
  EXPECT_NEAR(log_likelihood_ratio(points, {0, 0.5}), n * (integral(0.5) - integral(0)), 1e-4);
  EXPECT_NEAR(log_likelihood_ratio(points, {-0.5, 0}), n * (integral(0) - integral(-0.5)), 1e-4);
  // Invariant to units, and to merging.
  EXPECT_NEAR(log_likelihood_ratio(points.scaled(100), {0, 50}), log_likelihood_ratio(points, {0, 0.5}), 1e-6);
  ClusteredRatio first, merged;
  for (int i = 0; i < 500; ++i) (i < 250 ? first : merged).add(i % 10 == 0 ? 9 : -1, i % 3 + 1);
  ClusteredRatio whole;
  for (int i = 0; i < 500; ++i) whole.add(i % 10 == 0 ? 9 : -1, i % 3 + 1);
  merged.merge(first);
  EXPECT_DOUBLE_EQ(merged.skewness(), whole.skewness());
}

TEST(Sprt, NothingIsDecidedWithoutAVariance) {
  ClusteredRatio points;
  for (int deals = 0; deals < 3; ++deals, points.add(3, 1)) EXPECT_EQ(log_likelihood_ratio(points, {0, 1}), 0);
}

TEST(Sprt, DecidesAtTheBoundsOfWald) {
  const double bound = std::log(19.0);
  EXPECT_EQ(decide(bound + 1e-9), SprtDecision::kH1);
  EXPECT_EQ(decide(-bound - 1e-9), SprtDecision::kH0);
  for (const double inside : {bound - 1e-9, 1e-9 - bound}) EXPECT_EQ(decide(inside), SprtDecision::kNone);
  EXPECT_EQ(name_of(SprtDecision::kH0), "H0");
  EXPECT_EQ(name_of(SprtDecision::kNone), "none");
}

// Deals of one to three hands, tested every 16 deals as in matches: at most 5% wrong decisions, and few deals if the
// truth is far from both hypotheses.
class SprtErrors : public testing::Test {
 protected:
  static constexpr int kTrials = 1000;

  // The fraction of tests of 0 against 0.25 with a decision; `points(rng)` are per hand, with mean 0.
  template <class Points>
  double share(double mean, SprtDecision decided, const Points& points_of_hand) {
    int count = 0;
    deals_ = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      RandomStream rng(static_cast<std::uint64_t>(trial) * 7 + 1);
      ClusteredRatio points;
      SprtDecision decision = SprtDecision::kNone;
      while (decision == SprtDecision::kNone) {
        for (int i = 0; i < 16; ++i) {
          const int hands = 1 + static_cast<int>(rng.below(3));
          double won = 0;
          for (int hand = 0; hand < hands; ++hand) won += points_of_hand(rng) + mean;
          points.add(won, hands);
        }
        if (points.clusters() >= StoppingRule::kFewest) decision = decide(log_likelihood_ratio(points, {0, 0.25}));
      }
      count += decision == decided ? 1 : 0;
      deals_ += static_cast<double>(points.clusters()) / kTrials;
    }
    return static_cast<double>(count) / kTrials;
  }

  double deals_ = 0;  // the mean number of deals of the last tests
};

// As with duplicate deals: large wins and losses are occasional.
TEST_F(SprtErrors, HoldForSymmetricPoints) {
  const auto points = [](RandomStream& rng) {
    const double much = rng.below(10) == 0 ? 7 : 2.2;
    return rng.below(2) == 0 ? much : -much;
  };
  // 5% of 1,000: 36 to 64 in 95 of 100 cases.
  EXPECT_LT(share(0, SprtDecision::kH1, points), 0.064);
  EXPECT_LT(share(0.25, SprtDecision::kH0, points), 0.064);
  const double near = deals_;
  EXPECT_GT(share(0, SprtDecision::kH0, points), 0.9);
  EXPECT_EQ(share(1, SprtDecision::kH0, points), 0);
  EXPECT_LT(deals_, near / 2);
}

// 9 with probability 0.1, else -1, and the reverse: until the first 9 the variance is underestimated, too.
TEST_F(SprtErrors, HoldForSkewedPoints) {
  for (const double sign : {1.0, -1.0}) {
    SCOPED_TRACE(sign);
    const auto points = [&](RandomStream& rng) { return sign * (rng.below(10) == 0 ? 9.0 : -1.0); };
    EXPECT_LT(share(0, SprtDecision::kH1, points), 0.064);
    EXPECT_LT(share(0.25, SprtDecision::kH0, points), 0.064);
  }
}

TEST(MatchUntil, EveryMeanIsKnownWellEnough) {
  MatchOptions options = match("leduc", {"rule", "random"}, 1'000'000);
  options.stopping.until = 0.1;
  const MatchResult result = play_match(options);
  EXPECT_TRUE(result.ended_early);
  EXPECT_FALSE(result.interrupted);
  for (const AgentResult& agent : result.agents) EXPECT_LE(agent.ci95(), 0.1);
  // Stops as soon as possible: half the width takes four times as long.
  options.stopping.until = 0.05;
  const MatchResult longer = play_match(options);
  EXPECT_GT(longer.deals, 3 * result.deals);
  EXPECT_LT(longer.deals, 5 * result.deals);
  EXPECT_FALSE(to_json(longer).contains("llr"));
  EXPECT_EQ(to_json(longer)["ended_early"], true);
}

// With three players the mean of the second is the least precise, so that checking only the first, the last or
// any one of them is not enough.
TEST(MatchUntil, TheMeansOfAllThreeAgents) {
  MatchOptions options = match("holdem[players=3]", {"rule:tight", "random", "rule:tight"}, 100'000);
  options.stopping.until = 3;
  const MatchResult result = play_match(options);
  EXPECT_TRUE(result.ended_early);
  EXPECT_LT(std::max(result.agents[0].ci95(), result.agents[2].ci95()), 0.9 * result.agents[1].ci95());
  EXPECT_LE(result.agents[1].ci95(), 3);
}

TEST(MatchUntil, OfEqualPoliciesEndsAfterTheFewestDeals) {
  MatchOptions options = match("leduc", {"random", "random"}, 10'000);
  options.stopping.until = 0.001;
  const std::int64_t deals = play_match(options).deals;
  EXPECT_TRUE(deals >= StoppingRule::kFewest && deals < 2 * StoppingRule::kFewest + 256) << deals;
}

TEST(MatchSprt, SaysWhichAndWhy) {
  MatchOptions options = match("leduc", {"rule", "random"}, 1'000'000);
  // `rule` wins more than half a chip a hand from `random`.
  options.stopping.sprt = SprtBounds{0, 0.5};
  const MatchResult better = play_match(options);
  EXPECT_EQ(better.decision, SprtDecision::kH1);
  EXPECT_GE(better.llr, std::log(19.0));
  EXPECT_EQ(to_json(better)["decision"], "H1");
  EXPECT_EQ(to_json(better)["llr"], better.llr);
  options.stopping.sprt = SprtBounds{2, 3};
  const MatchResult worse = play_match(options);
  EXPECT_EQ(worse.decision, SprtDecision::kH0);
  EXPECT_TRUE(worse.ended_early);
  // With too few deals there is no decision, however extreme the results.
  options.deals = 50;
  options.stopping.sprt = SprtBounds{20, 30};
  const MatchResult few = play_match(options);
  EXPECT_LT(few.llr, -std::log(19.0));
  EXPECT_EQ(few.decision, SprtDecision::kNone);
  EXPECT_EQ(few.deals, 50);
  EXPECT_FALSE(few.ended_early);
  EXPECT_FALSE(few.interrupted);
}

// Tests the first agent, and not too early.
TEST(MatchSprt, EndsWhenItIsDecided) {
  MatchOptions options = match("leduc", {"random", "random"}, 1'000'000);
  options.duplicate = false;
  options.stopping.sprt = SprtBounds{0, 0.5};
  int first = 0;
  for (options.seed = 0; options.seed < 10; ++options.seed) {
    const MatchResult result = play_match(options);
    EXPECT_NE(result.decision, SprtDecision::kNone);
    first += result.decision == SprtDecision::kH0 ? 1 : 0;
  }
  EXPECT_GE(first, 8);
}

TEST(MatchSprt, IsTheSameForAnyNumberOfThreads) {
  MatchOptions options = match("leduc", {"rule", "random"}, 1'000'000);
  options.stopping.until = 0.08;
  const auto one = played(options, 1, 0), four = played(options, 4, 0);
  EXPECT_EQ(one, four);
}

TEST(MatchSprt, RulesThatMakeNoSenseAreRefused) {
  const auto refused = [](const StoppingRule& rule, const char* why) {
    MatchOptions options = match("leduc", {"rule", "random"}, 10);
    options.stopping = rule;
    return refuses<UsageError>(why, [&] { play_match(options); });
  };
  EXPECT_TRUE(refused({.until = -1, .sprt = {}}, "until -1; expected points a hand above 0"));
  EXPECT_TRUE(
      refused({.until = 0, .sprt = SprtBounds{0.5, 0.5}},
              "a sequential test of 0.5 against 0.5; expected two numbers of points a hand, the smaller first"));
  EXPECT_TRUE(refused({.until = 0, .sprt = SprtBounds{0, INFINITY}}, "a sequential test of 0 against inf"));
}

}  // namespace
}  // namespace dealer::confidence_test
