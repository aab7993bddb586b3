#include "arena/confidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/core/random.h"

namespace dealer::confidence_test {
namespace {

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

TEST(ClusteredRatio, WithEqualSizesIsTheUsualInterval) {
  ClusteredRatio ratio;
  for (const double y : {1.0, 2.0, 3.0, 4.0}) ratio.add(y, 1);
  EXPECT_DOUBLE_EQ(ratio.ratio(), 2.5);
  EXPECT_NEAR(ratio.half_width95(), 3.182 * std::sqrt(5.0 / 3.0 / 4.0), 1e-12);
}

// Of 1, 2, 3 and 4 it is 5/3. Of 6 in 2 hands and 2 in 2 the residuals about 2 a hand are 2 and -2: 8, and two hands
// are a cluster of the usual size.
TEST(ClusteredRatio, TheVarianceIsThatOfACluster) {
  ClusteredRatio equal;
  for (const double y : {1.0, 2.0, 3.0, 4.0}) equal.add(y, 1);
  EXPECT_NEAR(equal.variance(), 5.0 / 3.0, 1e-12);
  ClusteredRatio longer;
  longer.add(6, 2);
  EXPECT_TRUE(std::isinf(longer.variance()));
  longer.add(2, 2);
  EXPECT_NEAR(longer.variance(), 8.0 / 4.0, 1e-12);
  EXPECT_NEAR(longer.half_width95(), 12.706 * std::sqrt(longer.variance() / 2), 1e-12);
}

TEST(ClusteredRatio, OfEqualClustersIsExact) {
  ClusteredRatio zeros, thirds;
  for (int i = 1; i <= 50; ++i) {
    zeros.add(0, i);
    thirds.add(i, 3 * i);
  }
  EXPECT_EQ(zeros.ratio(), 0);
  EXPECT_EQ(zeros.half_width95(), 0);
  EXPECT_NEAR(thirds.half_width95(), 0, 1e-7);
}

TEST(ClusteredRatio, OfTooLittleIsUnknown) {
  ClusteredRatio ratio;
  EXPECT_EQ(ratio.ratio(), 0);
  EXPECT_TRUE(std::isinf(ratio.half_width95()));
  ratio.add(3, 1);
  EXPECT_EQ(ratio.ratio(), 3);
  EXPECT_TRUE(std::isinf(ratio.half_width95()));
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

// Clusters of one to three values that share a part: the interval must cover the truth about 95 times in 100, which
// it would not if the values were taken for independent.
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

TEST(StudentT, MatchesTheTables) {
  const std::pair<int, double> table[] = {{1, 12.706}, {2, 4.303},  {5, 2.571},   {6, 2.447},   {8, 2.306},
                                          {10, 2.228}, {20, 2.086}, {100, 1.984}, {1000, 1.962}};
  for (const auto& [degrees, quantile] : table)
    EXPECT_NEAR(student_t975(degrees), quantile, 0.001 * quantile) << degrees;
}

}  // namespace
}  // namespace dealer::confidence_test
