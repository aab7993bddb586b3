// Means and differences of cases that come in clusters, against their definitions and against a known truth.
#include "arena/studies/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "env/core/random.h"

namespace dealer::studies::estimate_test {
namespace {

TEST(ClusterMean, IsTheRatioOfItsClusters) {
  ClusterMean mean;
  ClusteredRatio ratio;
  mean.add(4, 1);
  mean.add(4, 0);
  mean.add(5, 1);
  mean.add(9, 3, 4);
  ratio.add(1, 2);
  ratio.add(1, 1);
  ratio.add(3, 4);
  const Estimate estimate = mean.estimate();
  EXPECT_DOUBLE_EQ(estimate.value, ratio.ratio());
  EXPECT_DOUBLE_EQ(estimate.ci95, ratio.half_width95());
  EXPECT_EQ(estimate.count, 7);
  EXPECT_TRUE(estimate.known());
}

TEST(ClusterMean, OfTooLittleIsUnknown) {
  ClusterMean mean;
  EXPECT_FALSE(mean.estimate().known());
  EXPECT_EQ(to_json(mean.estimate()).dump(), R"({"value":null,"ci95":null,"n":0.0})");
  mean.add(0, 1);
  mean.add(0, 2);
  EXPECT_FALSE(mean.estimate().known());
  EXPECT_EQ(to_json(mean.estimate()).dump(), R"({"value":1.5,"ci95":null,"n":2.0})");
  EXPECT_FALSE(mean.estimate().above(0)) << "nothing is seen of one cluster";
  mean.add(1, 1);
  EXPECT_TRUE(mean.estimate().known());
}

TEST(ClusterMean, AShareThatNeverHappenedHasAnInterval) {
  ClusterMean never, always, sometimes;
  for (int i = 0; i < 30; ++i) {
    never.add(i, 0);
    always.add(i, 1);
    sometimes.add(i, i % 2);
  }
  // Of samples of 30 with that share 95% have a case.
  const double reach = 1 - std::pow(0.05, 1.0 / 30);
  EXPECT_NEAR(never.share().ci95, reach, 1e-12);
  EXPECT_NEAR(always.share().ci95, reach, 1e-12);
  EXPECT_NEAR(reach, 3.0 / 30, 0.006);
  EXPECT_EQ(never.estimate().ci95, 0);
  EXPECT_EQ(sometimes.share().ci95, sometimes.estimate().ci95);
}

// Ten deals that differ are the least of which anything is said.
TEST(DealMean, HasAnIntervalWhereDealsWereSeenToDiffer) {
  DealMean varies, constant, inside, always;
  ClusterMean plain;
  for (int deal = 0; deal < 10; ++deal) {
    EXPECT_FALSE(varies.estimate().known()) << deal;
    EXPECT_FALSE(always.share().known()) << deal;
    varies.add(deal, deal % 3);
    plain.add(deal, deal % 3);
    // Thirds are rounded: what is left of their sums is no scatter.
    constant.add(deal, -20.0 / 3);
    inside.add(deal, 0.5);
    always.add(deal, 1);
  }
  EXPECT_EQ(varies.estimate().ci95, plain.estimate().ci95);
  EXPECT_TRUE(varies.estimate().known());
  EXPECT_FALSE(constant.estimate().known());
  EXPECT_DOUBLE_EQ(constant.estimate().value, -20.0 / 3);
  EXPECT_FALSE(inside.share().known());
  EXPECT_NEAR(always.share().ci95, 1 - std::pow(0.05, 0.1), 1e-12);
  EXPECT_EQ(to_json(constant.estimate())["ci95"], nullptr);
}

TEST(DealMean, ReachesNoFurtherThanSharesDo) {
  ClusterMean share;
  share.add(0, 0, 1);
  share.add(1, 9, 10);
  const Estimate estimate = share.share();
  EXPECT_GT(share.estimate().ci95, 0.9);
  EXPECT_DOUBLE_EQ(estimate.ci95, estimate.value) << "to nothing, and beyond all";
  EXPECT_EQ(estimate.low(), 0);
  EXPECT_EQ(estimate.high(), 1);
}

TEST(ClusterDifference, IsTheDifferenceOfTheMeans) {
  ClusterDifference difference;
  // Ten times the same three clusters.
  for (int i = 0; i < 30; i += 3) {
    difference.add_first(i, 3);
    difference.add_second(i, 1, 2);
    difference.add_first(i + 1, 5);
    difference.add_second(i + 1, 2);
    difference.add_second(i + 2, 3);
  }
  const Estimate estimate = difference.estimate();
  EXPECT_DOUBLE_EQ(estimate.value, 4 - 6.0 / 4);
  EXPECT_EQ(estimate.count, 60);
  // Residuals, each mean's by its number of cases: -1/2 + 2/4, 1/2 - 1/8, -3/8; t of 29 degrees of freedom.
  const double squares = (0 + 9.0 / 64 + 9.0 / 64) / 10;
  EXPECT_NEAR(estimate.ci95, student_t975(29) * std::sqrt(squares * 30 / 29), 1e-9);
}

TEST(ClusterDifference, WhatGoesTogetherIsNoDifference) {
  ClusterDifference together, apart;
  RandomStream rng(3);
  for (int i = 0; i < 40; ++i) {
    const double y = rng.uniform(), other = rng.uniform();
    together.add_first(i, y + 1 + other / 100);
    together.add_second(i, y);
    apart.add_first(i, y + 1);
    apart.add_second(i, other);
  }
  EXPECT_LT(together.estimate().ci95, 0.002);
  EXPECT_GT(apart.estimate().ci95, 0.05);
}

TEST(ClusterDifference, OfTooLittleIsUnknown) {
  ClusterDifference difference;
  difference.add_first(0, 1);
  EXPECT_EQ(difference.estimate().count, 0);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(difference.estimate().known()) << i;
    if (i > 0) difference.add_first(i, i % 2);
    difference.add_second(i, i % 3);
  }
  EXPECT_TRUE(difference.estimate().known());
}

// A handful of equal cases, or many, against a mean with scatter; and two that never come apart.
TEST(ClusterDifference, OfWhatNeverVariedIsUnknown) {
  ClusterDifference constant, together;
  for (int i = 0; i < 50; ++i) {
    constant.add_first(i, -20.0 / 3);
    constant.add_second(i, i % 4);
    together.add_first(i, i % 4 + 1.0 / 3);
    together.add_second(i, i % 4);
  }
  EXPECT_NEAR(constant.estimate().value, -20.0 / 3 - 1.46, 1e-12);
  EXPECT_FALSE(constant.estimate().known());
  EXPECT_FALSE(together.estimate().known());
}

TEST(ShareDifference, OfWhatNeverHappenedIsWider) {
  ShareDifference difference, few;
  for (int i = 0; i < 40; ++i) {
    difference.add_first(i, 0);
    difference.add_second(i, i % 4, 4);
    if (i < 9) few.add_first(i, 0);
    few.add_second(i, i % 2);
  }
  DealMean second;
  for (int i = 0; i < 40; ++i) second.add(i, i % 4, 4);
  const Estimate estimate = difference.estimate();
  EXPECT_DOUBLE_EQ(estimate.value, -0.375);
  EXPECT_NEAR(estimate.ci95, second.estimate().ci95 + 1 - std::pow(0.05, 1.0 / 40), 1e-9);
  EXPECT_EQ(estimate.least, -1);
  EXPECT_FALSE(few.estimate().known());
}

// Clusters that share a part of both means: the interval must cover the truth about 95 times in 100.
TEST(ClusterDifference, CoversTheTruth) {
  constexpr int kTrials = 2000;
  int covered = 0, narrow = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    RandomStream rng(29, static_cast<std::uint64_t>(trial));
    ClusterDifference difference;
    for (int i = 0; i < 60; ++i) {
      const double shared = 2.0 * static_cast<double>(rng.uniform());
      for (auto k = 1 + rng.below(3); k > 0; --k)
        difference.add_first(i, shared + static_cast<double>(rng.uniform()) + 0.25);
      for (auto k = rng.below(4); k > 0; --k)
        difference.add_second(i, 0.5 * shared + static_cast<double>(rng.uniform()));
    }
    const Estimate estimate = difference.estimate();
    covered += std::abs(estimate.value - 0.75) <= estimate.ci95 ? 1 : 0;
    narrow += estimate.above(0) ? 1 : 0;
  }
  // Four standard errors either way.
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.95, 0.02);
  EXPECT_EQ(narrow, kTrials);
}

TEST(Estimate, IsAboveWhereItsIntervalIs) {
  const Estimate estimate{0.5, 0.2, 10};
  EXPECT_TRUE(estimate.above(0.29));
  EXPECT_FALSE(estimate.above(0.31));
  EXPECT_TRUE(estimate.below(0.71));
  EXPECT_FALSE(estimate.below(0.69));
}

}  // namespace
}  // namespace dealer::studies::estimate_test
