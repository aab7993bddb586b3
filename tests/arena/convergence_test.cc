// How fast solvers come near an equilibrium, and how near the shipped solutions are.
#include <gtest/gtest.h>

#include <filesystem>

#include "agents/nn/model_files.h"
#include "agents/tabular/cfr.h"
#include "agents/tabular/values.h"
#include "arena/exploitability.h"
#include "env/core/data_dir.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"

namespace dealer::convergence_test {
namespace {

using tabular::Cfr;
using tabular::CfrOptions;
using tabular::GameTree;
using tabular::make_solver;

double after(const char* spec, const CfrOptions& options, int iterations) {
  const GameTree tree(*make_game(spec));
  Cfr solver(tree, options);
  solver.run(iterations);
  return exploitability(tree, solver.average()).exploitability;
}

TEST(Convergence, OfCfr) {
  EXPECT_LT(after("kuhn", CfrOptions::plain(), 1000), 2e-3);
  EXPECT_LT(after("leduc", CfrOptions::plain(), 1000), 2e-2);
}
TEST(Convergence, OfCfrPlus) {
  EXPECT_LT(after("kuhn", CfrOptions::plus(), 1000), 1e-4);
  EXPECT_LT(after("leduc", CfrOptions::plus(), 1000), 3e-4);
}
TEST(Convergence, OfDiscountedCfr) {
  EXPECT_LT(after("kuhn", CfrOptions::discounted(), 1000), 2e-4);
  EXPECT_LT(after("leduc", CfrOptions::discounted(), 1000), 2e-4);
}

// To the last figure that is known.
TEST(Convergence, IsToThePublishedValues) {
  for (const auto& [spec, value] : {std::pair{"kuhn", -1.0 / 18}, std::pair{"leduc", -0.085606424078}}) {
    const GameTree tree(*make_game(spec));
    Cfr solver(tree, CfrOptions::discounted());
    solver.run(test::repetitions(30'000));
    EXPECT_NEAR(expected_returns(tree, solver.average())[0], value, test::repetitions(100) == 100 ? 1e-6 : 1e-4)
        << spec;
  }
}

TEST(Mccfr, ComesBelowAHundredthOnLeduc) {
  const GameTree tree(*make_game("leduc"));
  const auto solver = make_solver("mccfr", tree, {1, 1});
  solver->run(test::repetitions(10'000'000) / (test::repetitions(100) == 100 ? 1 : 10));
  const Exploitability result = exploitability(tree, solver->average());
  if (test::repetitions(100) == 100) {
    EXPECT_LT(result.exploitability, 0.01);
  }
  EXPECT_NEAR(result.value[0], -0.0856, 0.02);
}

// Independent tables are as good as one that does all the iterations, up to chance.
TEST(Mccfr, AveragesItsTables) {
  const GameTree tree(*make_game("kuhn"));
  for (const char* spec : {"mccfr", "mccfr[tables=4]"}) {
    const auto solver = make_solver(spec, tree, {1, 1});
    solver->run(400'000);
    EXPECT_LT(exploitability(tree, solver->average()).exploitability, 0.01) << spec;
  }
}

TEST(Mmd, LastPolicyConverges) {
  const GameTree tree(*make_game("leduc"));
  const auto solver = make_solver("mmd", tree);
  solver->run(1000);
  EXPECT_LT(exploitability(tree, solver->current()).exploitability, 0.02);
  EXPECT_LT(exploitability(tree, solver->average()).exploitability, 0.02);
  EXPECT_EQ(solver->solution().probability, solver->current().probability);
  if (test::repetitions(100) != 100) return;
  solver->run(9000);
  EXPECT_LT(exploitability(tree, solver->current()).exploitability, 0.005);
}

TEST(SolvedModels, AreShipped) {
  for (const auto& [spec, value] : {std::pair{"kuhn", -1.0 / 18}, std::pair{"leduc", -0.085606424},
                                    std::pair{"mini_draw_single", -0.0542222}, std::pair{"mini_draw", -0.1577996}}) {
    const GamePtr game = make_game(spec);
    const GameTree tree(*game);
    const Exploitability result = exploitability(tree, *make_agents("default", game)->make());
    EXPECT_NEAR(result.value[0], value, 1e-5) << spec;
    EXPECT_LT(result.exploitability, 1e-5) << spec;
    EXPECT_LT(std::filesystem::file_size(find_model(*game, data_path("models"))), 2U << 20U) << spec;
  }
}

}  // namespace
}  // namespace dealer::convergence_test
