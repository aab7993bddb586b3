// Searching agents in matches.
#include <gtest/gtest.h>

#include "tests/arena/match_support.h"

namespace dealer::search_agents_test {
namespace {

using test::match;
using test::played;

TEST(SearchAgents, AreEvenWithThemselves) {
  for (const char* game : {"seven_hand", "leduc", "draw"})
    for (const char* agent : {"search[simulations=20]", "search[simulations=20,algorithm=ismcts]"}) {
      const MatchResult result = play_match(match(game, {agent, agent}, 4));
      EXPECT_EQ(result.agents[0].mean(), 0) << game << agent;
      EXPECT_EQ(result.agents[0].ci95(), 0) << game << agent;
    }
}

TEST(SearchAgents, PlayTheSameGamesWithAnyThreads) {
  const auto once = played(match("seven_hand", {"search[simulations=20]", "rule"}, 3), 1, 1);
  EXPECT_EQ(played(match("seven_hand", {"search[simulations=20]", "rule"}, 3), 2, 2), once);
  EXPECT_EQ(played(match("seven_hand", {"search[simulations=20,threads=2]", "rule"}, 3), 1, 1).second, once.second);
}

// The hand-written player has no chance against it in the long run: a tenth of the usual budget does.
TEST(SearchAgentsThorough, BeatTheHandWrittenPlayerAtSevenHandPoker) {
  const MatchResult result = play_match(match("seven_hand", {"search[simulations=400]", "rule"}, 60));
  EXPECT_GT(result.agents[0].mean(), 0);
}

}  // namespace
}  // namespace dealer::search_agents_test
