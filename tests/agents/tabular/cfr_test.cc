// Counterfactual regret minimisation: published values, and the slow one of the tests iteration by iteration.
#include "agents/tabular/cfr.h"

#include <gtest/gtest.h>

#include "agents/tabular/values.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/env/harness/random_play.h"

namespace dealer::tabular::cfr_test {
namespace {

class CfrOf : public testing::TestWithParam<const char*> {
 protected:
  GamePtr game_ = make_game(GetParam());
  GameTree tree_{*game_};
  test::Walk walk_ = test::walk_tree<small::State>(small::as_small(*game_)->rules());
};

// Rounding lets the two part in the end; not so soon.
TEST_P(CfrOf, GoesTheWayOfTheSlowOne) {
  for (const auto& [options, kind] :
       {std::pair{CfrOptions::plain(), test::SlowKind::kPlain}, std::pair{CfrOptions::plus(), test::SlowKind::kPlus},
        std::pair{CfrOptions::discounted(), test::SlowKind::kDiscounted}})
    for (const int iterations : {1, 2, 3, 12}) {
      Cfr solver(tree_, options);
      solver.run(iterations);
      EXPECT_EQ(solver.iterations(), iterations);
      const test::SlowStrategy fast = test::slow_strategy(walk_, tree_, solver.average());
      const test::SlowStrategy slow = test::slow_cfr(walk_, iterations, kind);
      for (std::size_t s = 0; s < slow.size(); ++s)
        for (std::size_t a = 0; a < slow[s].size(); ++a)
          ASSERT_NEAR(fast[s][a], slow[s][a], 1e-9) << iterations << " of kind " << static_cast<int>(kind);
    }
}

INSTANTIATE_TEST_SUITE_P(Games, CfrOf, testing::Values("kuhn", "kuhn[cards=5,raises=3]", "leduc[ranks=2]", "leduc"));

// The value lies between what the first player is sure of and what the second lets it have: a best response that knows
// nothing of the solver says so.
void expect_value(const std::string& spec, int iterations, double value, double accuracy) {
  const GamePtr game = make_game(spec);
  const GameTree tree(*game);
  Cfr solver(tree);
  solver.run(test::repetitions(iterations));
  accuracy = test::repetitions(100) == 100 ? accuracy : 40 * accuracy;
  const Policy average = solver.average();
  const test::Walk walk = test::walk_tree<small::State>(small::as_small(*game)->rules());
  const test::SlowStrategy strategy = test::slow_strategy(walk, tree, average);
  const double first = test::slow_best_response(walk, strategy, 0),
               second = test::slow_best_response(walk, strategy, 1);
  EXPECT_LE(-second, value + 1e-6);
  EXPECT_GE(first, value - 1e-6);
  EXPECT_LT(first + second, 2 * accuracy);
  EXPECT_NEAR(expected_returns(tree, average)[0], value, accuracy);
}

TEST(SmallValues, KuhnPokerIsWorthMinusOneEighteenth) { expect_value("kuhn", 2000, -1.0 / 18, 1e-4); }
TEST(SmallValues, LeducHoldemIsWorthWhatIsPublished) { expect_value("leduc", 2000, -0.085606424078, 5e-4); }
TEST(SmallValues, SmallDrawPokerIsWorthWhatTheManualSays) { expect_value("mini_draw_single", 2000, -0.054222, 1e-4); }
TEST(SmallValues, SmallDrawPokerWithTwoRoundsIsWorthWhatTheManualSays) {
  expect_value("mini_draw", 300, -0.1578, 5e-3);
}
TEST(SmallValues, OneCardEachIsWorthNothing) { expect_value("mini_draw_single[hand=1]", 300, 0, 1e-3); }

}  // namespace
}  // namespace dealer::tabular::cfr_test
