#include "train/afterstate/returns.h"

#include "tests/support/testing.h"

namespace dealer::returns_test {
namespace {

std::vector<double> returns(std::vector<float> best, std::vector<int> explored, double outcome, double lambda) {
  std::array<bool, 8> cut{};
  for (std::size_t i = 0; i < explored.size(); ++i) cut[i] = explored[i] != 0;
  std::vector<double> targets(best.size());
  lambda_returns(best, {cut.data(), best.size()}, outcome, lambda, targets);
  return targets;
}

// Computed by hand: three turns whose best placements have values 1, 2 and 3, and an outcome of 7.
TEST(LambdaReturns, MixValuesAndOutcome) {
  EXPECT_EQ(returns({1, 2, 3}, {0, 0, 0}, 7, 0), (std::vector<double>{2, 3, 7}));
  EXPECT_EQ(returns({1, 2, 3}, {0, 0, 0}, 7, 1), (std::vector<double>{7, 7, 7}));
  // Turn 2: 7. Turn 1: (3 + 7) / 2 = 5. Turn 0: (2 + 5) / 2 = 3.5.
  EXPECT_EQ(returns({1, 2, 3}, {0, 0, 0}, 7, 0.5), (std::vector<double>{3.5, 5, 7}));
}

TEST(LambdaReturns, LearnNothingFromWhatFollowsAnExploratoryMove) {
  // Turn 1 was exploratory: turn 0 takes its value, whatever lambda.
  EXPECT_EQ(returns({1, 2, 3}, {0, 1, 0}, 7, 0.5), (std::vector<double>{2, 5, 7}));
  EXPECT_EQ(returns({1, 2, 3}, {1, 1, 1}, 7, 1), (std::vector<double>{2, 3, 7}));
}

TEST(LambdaReturns, OfNoTurns) { EXPECT_TRUE(returns({}, {}, 7, 0.5).empty()); }

}  // namespace
}  // namespace dealer::returns_test
