#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "agents/ofc/playouts.h"
#include "env/core/random.h"

namespace dealer::ofc::n_step_estimator_test {
namespace {

PlayedOut at(double first, double second) { return {{first, second}}; }

TEST(NStepEstimator, WithoutDealsItIsTheNetworksWord) {
  const NStepEstimator means(std::vector<double>{3, 1}, 2);
  std::vector<double> values(2);
  means.weigh(std::vector<std::size_t>{0, 1}, values);
  EXPECT_EQ(values, (std::vector<double>{3, 1}));
  EXPECT_EQ(means.deals(0), 0);
  EXPECT_EQ(means.error(0), 0);
}

// Corrections by hand: of placement 0 first -1 and +1, then +2 and +2; of placement 1 first +1 and +3, then -1 and +1.
TEST(NStepEstimator, CorrectionsCountByHowSureTheyAre) {
  NStepEstimator means(std::vector<double>{3, 1}, 2);
  const std::vector<std::size_t> left{0, 1};
  means.add(left, std::vector{at(2, 4), at(2, 1)}, 2);
  means.add(left, std::vector{at(4, 6), at(4, 5)}, 2);
  std::vector<double> values(2);
  means.weigh(left, values);
  // First horizon: in each deal the corrections lie 1 off their mean: squares 2 + 2, one degree of freedom each.
  const double first = 0.16 / (0.16 + 2.0 / 2);
  // Second: 1.5 off in one deal, 0.5 in the other: 4.5 + 0.5.
  const double second = 0.04 / (0.04 + 2.5 / 2);
  EXPECT_NEAR(values[0], 3 + (1 - first) + (1 + second), 1e-12);
  EXPECT_NEAR(values[1], 1 + (1 + first) + (1 - second), 1e-12);
  EXPECT_EQ(means.deals(1), 2);
  // Variances of the means: of placement 0 2 / 2 and 0, of placement 1 2 / 2 and 2 / 2.
  EXPECT_NEAR(means.error(0), 1, 1e-12);
  EXPECT_NEAR(means.error(1), std::sqrt(2.0), 1e-12);
  // The variance that is left is weight * noise, of either placement.
  EXPECT_NEAR(means.difference_error(0), std::sqrt(2 * (first * 2.0 / 2 + second * 2.5 / 2)), 1e-12);
}

TEST(NStepEstimator, PartsAddUp) {
  NStepEstimator all(std::vector<double>{0, 1, 2}, 2), part(std::vector<double>{0, 1, 2}, 2),
      other(std::vector<double>{0, 1, 2}, 2);
  const std::vector<std::size_t> left{0, 1, 2};
  RandomStream rng(1);
  for (int deal = 0; deal < 20; ++deal) {
    std::vector<PlayedOut> results;
    for (int i = 0; i < 3; ++i) results.push_back(at(rng.uniform(), rng.uniform()));
    all.add(left, results, 2);
    (deal < 7 ? part : other).add(left, results, 2);
  }
  part.add(other);
  std::vector<double> values(3), sums(3);
  all.weigh(left, values);
  part.weigh(left, sums);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(values[i], sums[i], 1e-12);
    EXPECT_NEAR(all.error(i), part.error(i), 1e-12);
    EXPECT_EQ(part.deals(i), 20);
  }
}

// With many deals the truth wins, at whatever horizon it shows.
TEST(NStepEstimator, ManyDealsOverruleTheNetwork) {
  NStepEstimator means(std::vector<double>{1, 0}, 2);
  const std::vector<std::size_t> left{0, 1};
  RandomStream rng(2);
  std::vector<double> values(2);
  for (int deal = 0; deal < 20000; ++deal) {
    const double noise = 4 * (rng.uniform() - 0.5), more = 8 * (rng.uniform() - 0.5);
    means.add(left, std::vector{at(1 + noise, -0.5 + noise + more), at(-noise, 0.5 - noise - more)}, 2);
    if (deal == 0) means.weigh(left, values);
  }
  EXPECT_GT(values[0], values[1]) << "after one deal the network is still believed";
  means.weigh(left, values);
  EXPECT_NEAR(values[0], -0.5, 0.1);
  EXPECT_NEAR(values[1], 0.5, 0.1);
}

}  // namespace
}  // namespace dealer::ofc::n_step_estimator_test
