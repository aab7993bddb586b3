// The hand-written players of every game beat one who acts at random.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/arena/match_support.h"

namespace dealer::rule_players_test {
namespace {

MatchResult play(const char* spec, const std::string& first, const std::string& others, int deals) {
  MatchOptions options = test::match(spec, {first}, deals);
  while (static_cast<int>(options.agents.size()) < options.game->players())
    options.agents.push_back(make_agents(others, options.game));
  options.strict = true;
  return play_match(options);
}

struct Case {
  const char* game;
  int deals;
};
std::ostream& operator<<(std::ostream& out, const Case& match) { return out << match.game; }

class RulePlayers : public testing::TestWithParam<Case> {};

// 4.9 standard errors (2.5 times the half width of the interval) are more than a player no better than random has once
// in two million matches. What the rule players win in long matches is 12 standard errors or more of as many deals as
// here, so that they fail less than once in a billion.
TEST_P(RulePlayers, BeatRandomOnes) {
  const auto& [game, deals] = GetParam();
  const AgentResult rule = play(game, "rule", "random", deals).agents[0];
  EXPECT_GT(rule.mean(), 2.5 * rule.ci95());
}

INSTANTIATE_TEST_SUITE_P(All, RulePlayers,
                         testing::Values(Case{"draw", 400}, Case{"draw[limit=no_limit]", 700}, Case{"lowball", 400},
                                         Case{"triple_draw", 600}, Case{"washizu[episode=hand]", 400},
                                         Case{"stud", 400}, Case{"razz", 400}, Case{"stud_hi_lo", 400},
                                         Case{"holdem", 400}, Case{"holdem[limit=no_limit,players=4]", 5000},
                                         Case{"holdem[limit=pot_limit]", 1500}, Case{"court_tarot[players=3]", 400},
                                         Case{"court_extra[procedure=stud]", 400},
                                         Case{"court_color[procedure=holdem]", 400}, Case{"kuhn", 1000},
                                         Case{"leduc", 1000}, Case{"mini_draw", 1000}, Case{"mini_draw_single", 1000}));

TEST(RulePlayer, AgainstItselfHasExactlyNothing) {
  for (const char* spec : {"draw", "holdem[limit=no_limit]", "stud_hi_lo"}) {
    const AgentResult rule = play(spec, "rule", "rule", 20).agents[0];
    EXPECT_EQ(rule.mean(), 0) << spec;
    EXPECT_EQ(rule.ci95(), 0) << spec;
  }
}

}  // namespace
}  // namespace dealer::rule_players_test
