// The values of the games, by a solver that knows nothing of them but the tree.
#include <gtest/gtest.h>

#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/games/small/walk.h"
#include "tests/env/harness/random_play.h"

namespace dealer::small {
namespace {

test::Solved solved(const std::string& spec, int iterations) {
  const GamePtr game = make_game(spec);
  return test::solve(test::walk_tree<State>(as_small(*game)->rules()), iterations);
}

// The value lies between what the first player is sure of and what the second lets it have.
void expect_value(const test::Solved& solved, double value, double accuracy) {
  EXPECT_LE(-solved.best_response[1], value + 1e-9);
  EXPECT_GE(solved.best_response[0], value - 1e-9);
  EXPECT_NEAR(solved.value, value, accuracy);
  EXPECT_LT(solved.nash_conv(), 2 * accuracy);
  EXPECT_GT(solved.nash_conv(), -1e-9);
}

TEST(SmallValues, KuhnPokerIsWorthMinusOneEighteenth) {
  expect_value(solved("kuhn", test::repetitions(2000)), -1.0 / 18, test::repetitions(100) == 100 ? 1e-4 : 2e-3);
}

TEST(SmallValues, LeducHoldemIsWorthWhatIsPublished) {
  expect_value(solved("leduc", test::repetitions(2000)), -0.085606424078, test::repetitions(100) == 100 ? 1e-3 : 2e-2);
}

TEST(SmallValues, SmallDrawPokerIsWorthWhatTheManualSays) {
  expect_value(solved("mini_draw_single", test::repetitions(500)), -0.054222,
               test::repetitions(100) == 100 ? 1e-3 : 2e-2);
}

TEST(SmallValues, OneCardEachIsWorthNothing) { expect_value(solved("mini_draw_single[hand=1]", 300), 0, 1e-3); }

}  // namespace
}  // namespace dealer::small
