// Circles of agents that beat each other.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "arena/tournament/ratings.h"

namespace dealer::tournament::cycles_test {
namespace {

constexpr double kMany = 1e6, kNormal = 1.959963985;
using Agents = std::vector<int>;

// With an interval of so much on either side.
PairEstimate pair(int a, int b, double mean, double ci95) {
  return {a, b, mean, ci95 / kNormal * (ci95 / kNormal), kMany};
}

TEST(Cycles, AreFoundWhereEveryIntervalIsClearOfZero) {
  const std::vector<PairEstimate> pairs = {pair(0, 1, 2, 1), pair(1, 2, 3, 1), pair(0, 2, -4, 3.5)};
  const Cycles cycles = find_cycles(3, pairs);
  ASSERT_EQ(cycles.found, 1);
  EXPECT_EQ(cycles.shown[0].agents, (Agents{0, 1, 2}));
  EXPECT_EQ(cycles.shown[0].means, (std::vector<double>{2, 3, 4}));
  EXPECT_NEAR(cycles.shown[0].clear_by, 0.5, 1e-4);
  EXPECT_EQ(find_cycles(3, std::vector<PairEstimate>{pairs[0], pairs[1], pair(0, 2, -4, 4.5)}).found, 0);
  EXPECT_EQ(find_cycles(3, std::vector<PairEstimate>{pairs[0], pairs[1], pair(0, 2, 4, 1)}).found, 0) << "an order";
  EXPECT_EQ(find_cycles(3, std::vector<PairEstimate>{pairs[0], pairs[1], {0, 2, -4, INFINITY, 1}}).found, 0);
}

TEST(Cycles, GoTheWayOfWinning) {
  const std::vector<PairEstimate> pairs = {pair(0, 1, -1, 0.1), pair(1, 2, -2, 0.1), pair(0, 2, 3, 0.1)};
  const Cycles cycles = find_cycles(3, pairs);
  ASSERT_EQ(cycles.found, 1);
  EXPECT_EQ(cycles.shown[0].agents, (Agents{0, 2, 1}));
  EXPECT_EQ(cycles.shown[0].means, (std::vector<double>{3, 2, 1}));
}

// Of three pairs 1.96 standard errors are no more certain; 2.4 are.
TEST(Cycles, CertainOnesAllowForTheNumberOfPairs) {
  const auto certain = [](double errors) {
    const double mean = errors / kNormal;
    const std::vector<PairEstimate> pairs = {pair(0, 1, 9, 1), pair(1, 2, 9, 1), pair(0, 2, -mean, 1)};
    return find_cycles(3, pairs).shown.at(0).certain;
  };
  EXPECT_FALSE(certain(2.38));
  EXPECT_TRUE(certain(2.40));
}

TEST(Cycles, LongOnesAreShownWhereThereAreNoShortOnes) {
  // 0 beats 1 beats 2 beats 3 beats 0; across, nobody is known to beat anybody. 4 loses to all.
  std::vector<PairEstimate> pairs = {pair(0, 1, 1, 0.1), pair(1, 2, 1, 0.2), pair(2, 3, 1, 0.3), pair(0, 3, -1, 0.4),
                                     pair(0, 2, 1, 2),   pair(1, 3, 1, 2),   pair(0, 4, 1, 0.1), pair(1, 4, 1, 0.1)};
  const Cycles cycles = find_cycles(5, pairs);
  ASSERT_EQ(cycles.found, 1);
  EXPECT_EQ(cycles.shown[0].agents, (Agents{0, 1, 2, 3}));
  EXPECT_NEAR(cycles.shown[0].clear_by, 0.6, 1e-4);
  // Once 0 beats 2, there is one of three.
  pairs[4] = pair(0, 2, 1, 0.1);
  EXPECT_EQ(find_cycles(5, pairs).found, 1);
  EXPECT_EQ(find_cycles(5, pairs).shown[0].agents, (Agents{0, 2, 3}));
}

TEST(Cycles, TheClearestComeFirstAndTheRestIsCounted) {
  std::vector<PairEstimate> pairs;
  // Of five, each beats the two that follow it.
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

}  // namespace
}  // namespace dealer::tournament::cycles_test
