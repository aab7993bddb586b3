// Matches in which an agent has several seats of a table.
#include <gtest/gtest.h>

#include <algorithm>

#include "env/core/error.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"

namespace dealer::match_seating_test {
namespace {

using test::match;

MatchOptions planned(const std::string& game, const std::vector<std::string>& agents, std::int64_t deals,
                     std::vector<std::vector<int>> plan) {
  MatchOptions options = match(game, agents, deals);
  options.seating_plan = std::move(plan);
  return options;
}

// The same tables as with an agent for every seat: of the six seatings of a, b and another b, three and their doubles.
TEST(MatchSeating, IsThatOfSoManyAgents) {
  const MatchResult two =
      play_match(planned("ofc[players=3]", {"rule", "random"}, 30, {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
  const MatchResult three = play_match(match("ofc[players=3]", {"rule", "random", "random"}, 30));
  EXPECT_EQ(two.deals, 30);
  EXPECT_EQ(2 * two.hands_played, three.hands_played);
  EXPECT_DOUBLE_EQ(two.agents[0].mean(), three.agents[0].mean());
  EXPECT_NEAR(two.agents[1].mean(), three.agents[1].mean() + three.agents[2].mean(), 1e-12);
  EXPECT_NEAR(two.agents[0].mean() + two.agents[1].mean(), 0, 1e-12);
  EXPECT_DOUBLE_EQ(two.agents[0].rate("foul_rate"), three.agents[0].rate("foul_rate"));
  EXPECT_DOUBLE_EQ(two.agents[1].rate("foul_rate"),
                   (three.agents[1].rate("foul_rate") + three.agents[2].rate("foul_rate")) / 2);
}

// One policy under two names wins exactly nothing from itself, whoever sits alone.
TEST(MatchSeating, OfOnePolicyIsExactlyZero) {
  const MatchResult result = play_match(planned("ofc[players=3]", {"rule", "rule"}, 20,
                                                {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(result.differences[0].points.ratio(), 0);
  EXPECT_EQ(result.differences[0].points.half_width95(), 0);
}

TEST(MatchSeating, DoesNotDependOnThreadsAndTables) {
  const MatchOptions options =
      planned("washizu[players=4]", {"rule", "random"}, 40, {{0, 1, 1, 1}, {1, 1, 0, 1}, {1, 0, 0, 0}});
  const auto one = test::played(options, 1, 1), many = test::played(options, 3, 8);
  EXPECT_EQ(one, many);
  // Every decision was asked of the agent in that seat, which knows which one it has.
  EXPECT_GT(std::count(one.second.begin(), one.second.end(), '\n'), 100);
}

TEST(MatchSeating, ManyTablesAskEverySeat) {
  MatchOptions options = planned("ofc[players=3]", {"default", "random"}, 6, {{0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(test::played(options, 1, 1).second, test::played(options, 2, 6).second);
}

TEST(MatchSeating, RefusesWhatIsNoSeating) {
  const auto refusal = [](std::vector<std::vector<int>> plan) {
    return test::error_message<UsageError>([&] {
      play_match(planned("kuhn", {"rule", "random"}, 2, std::move(plan)));
    });
  };
  EXPECT_EQ(refusal({{0, 1}, {0}}), "the seating [0]; expected 2 agents by their numbers from 0 to 1");
  EXPECT_EQ(refusal({{0, 2}}), "the seating [0, 2]; expected 2 agents by their numbers from 0 to 1");
  EXPECT_EQ(refusal({{-1, 0}}), "the seating [-1, 0]; expected 2 agents by their numbers from 0 to 1");
}

}  // namespace
}  // namespace dealer::match_seating_test
