#include "agents/random_agent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "env/core/error.h"

namespace dealer::random_agent_test {
namespace {

// Chi-squared of a thousand draws for every legal action, and five standard deviations above its mean.
TEST(RandomAgent, TakesEveryLegalActionEquallyOften) {
  for (const std::uint64_t mask : {std::uint64_t{0b1}, std::uint64_t{0b110}, std::uint64_t{0b1001'0010'0101},
                                   std::uint64_t{0xffff'ffff} << 7, std::uint64_t{1} << 63 | 1, ~std::uint64_t{0}}) {
    const Observation observation{0, {}, mask};
    const std::vector<Action> legal = observation.legal_actions();
    RandomAgent agent;
    agent.reset(0, 17);
    std::map<Action, int> times;
    const int draws = 1000 * static_cast<int>(legal.size());
    for (int i = 0; i < draws; ++i) ++times[agent.act(observation).action];
    double chi2 = 0;
    for (const Action action : legal) chi2 += (times[action] - 1000.0) * (times[action] - 1000.0) / 1000.0;
    EXPECT_EQ(times.size(), legal.size()) << "other actions than the legal ones of " << mask;
    const double freedom = static_cast<double>(legal.size()) - 1;
    EXPECT_LE(chi2, freedom + 5 * std::sqrt(2 * freedom)) << mask;
    EXPECT_EQ(agent.policy(observation), std::vector<double>(legal.size(), 1.0 / static_cast<double>(legal.size())))
        << mask;
  }
}

TEST(RandomAgent, DrawsAnewWithEverySeed) {
  const Observation observation{0, {}, ~std::uint64_t{0}};
  const auto actions = [&](std::uint64_t seed) {
    RandomAgent agent;
    agent.reset(0, seed);
    std::vector<Action> drawn(20);
    for (Action& action : drawn) action = agent.act(observation).action;
    return drawn;
  };
  EXPECT_EQ(actions(1), actions(1));
  EXPECT_NE(actions(1), actions(2));
}

TEST(RandomAgent, RefusesToActOutOfTurn) {
  RandomAgent agent;
  EXPECT_THROW(agent.act(Observation{0, {}, 0}), UsageError);
}

}  // namespace
}  // namespace dealer::random_agent_test
