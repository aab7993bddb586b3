// The hand-written players of every game beat one who acts at random.
#include <gtest/gtest.h>

#include "arena/match.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"

namespace dealer {
namespace {

MatchResult play(const char* spec, const std::string& first, const std::string& others, int deals) {
  MatchOptions options;
  options.game = make_game(spec);
  for (int seat = 0; seat < options.game->players(); ++seat)
    options.agents.push_back(make_agents(seat == 0 ? first : others, options.game));
  options.deals = test::repetitions(deals);
  options.seed = 5;
  return play_match(options);
}

class RulePlayers : public testing::TestWithParam<const char*> {};

TEST_P(RulePlayers, BeatRandomOnes) {
  const MatchResult result = play(GetParam(), "rule", "random", 150);
  EXPECT_GT(result.agents[0].mean(), result.agents[0].ci95()) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(All, RulePlayers,
                         testing::Values("draw", "draw[limit=no_limit]", "lowball", "triple_draw",
                                         "washizu[episode=hand]", "stud", "razz", "stud_hi_lo", "holdem",
                                         "holdem[limit=no_limit,players=4]", "holdem[limit=pot_limit]",
                                         "court_tarot[players=3]", "court_extra[procedure=stud]",
                                         "court_color[procedure=holdem]", "kuhn", "leduc", "mini_draw",
                                         "mini_draw_single"));

TEST(RulePlayer, AgainstItselfHasExactlyNothing) {
  for (const char* spec : {"draw", "holdem[limit=no_limit]", "stud_hi_lo"}) {
    const MatchResult result = play(spec, "rule", "rule", 20);
    EXPECT_EQ(result.agents[0].mean(), 0) << spec;
  }
}

}  // namespace
}  // namespace dealer
