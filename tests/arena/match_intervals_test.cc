// Intervals of small matches whose true mean is known from the whole tree of the game.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "tests/arena/match_support.h"

namespace dealer::match_intervals_test {
namespace {

// What the first policy wins from the second, the mean over both seats.
double true_mean(const tabular::GameTree& tree, const tabular::Policy& a, const tabular::Policy& b) {
  double sum = 0;
  for (Seat seat = 0; seat < 2; ++seat) {
    tabular::Policy both = b;
    const auto first = tree.first_sequence(seat), end = tree.first_sequence(seat + 1);
    std::copy(a.probability.begin() + first, a.probability.begin() + end, both.probability.begin() + first);
    sum += tabular::expected_returns(tree, both)[static_cast<std::size_t>(seat)];
  }
  return sum / 2;
}

class MatchIntervals : public testing::Test {
 protected:
  static constexpr int kMatches = 1000;

  // The share of matches, each with cards of its own, whose interval has the true mean in it.
  double covered(MatchOptions options) {
    const tabular::GameTree tree(*options.game);
    const auto rule = make_agents("rule", options.game)->make();
    const double mean = true_mean(tree, tabular::policy_of(tree, *rule), tabular::uniform_policy(tree));
    EXPECT_GT(mean, 0.5);
    int count = 0;
    for (int i = 0; i < kMatches; ++i) {
      options.seed = static_cast<std::uint64_t>(i);
      const AgentResult agent = play_match(options).agents[0];
      count += std::abs(agent.mean() - mean) <= agent.ci95() ? 1 : 0;
    }
    return static_cast<double>(count) / kMatches;
  }
};

TEST_F(MatchIntervals, CoverTheTrueMean) {
  for (const bool duplicate : {true, false}) {
    MatchOptions options = test::match("leduc", {"rule", "random"}, 100);
    options.duplicate = duplicate;
    const double share = covered(options);
    EXPECT_GE(share, 0.93) << duplicate;
    EXPECT_LE(share, 0.97) << duplicate;
  }
}

// Ending at the right moment costs little of it.
TEST_F(MatchIntervals, CoverItWhereTheyEndTheMatch) {
  MatchOptions options = test::match("leduc", {"rule", "random"}, 100'000);
  options.stopping.until = 0.25;
  const double share = covered(options);
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.97);
}

}  // namespace
}  // namespace dealer::match_intervals_test
