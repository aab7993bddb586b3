// With lossless buckets it finds the equilibrium of the whole tree; with fewer buckets it is further from it.
#include "agents/abstraction/tree_mccfr.h"

#include "agents/tabular/values.h"
#include "env/games/small/game.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/support/testing.h"

namespace dealer::tree_mccfr_test {
namespace {

using tabular::GameTree;

std::unique_ptr<tabular::Solver> solved(const GameTree& tree, const std::string& options, std::int64_t iterations,
                                        int threads = 1) {
  auto solver = tabular::make_solver("bucket_mccfr[" + options + "]", tree, {threads, 1});
  solver->run(iterations);
  return solver;
}

// The mean maximum gain of the seats against the policy.
double exploitability(const GameTree& tree, const tabular::Policy& policy) {
  const test::Walk walk = test::walk_tree<small::State>(small::as_small(tree.game())->rules());
  const test::SlowStrategy strategy = test::slow_strategy(walk, tree, policy);
  return (test::slow_best_response(walk, strategy, 0) + test::slow_best_response(walk, strategy, 1)) / 2;
}

TEST(TreeMccfr, OverBucketsOfTheirOwnFindsTheEquilibrium) {
  for (const auto& [name, value] :
       {std::pair("mini_draw_single", -0.054), std::pair("mini_draw[hand=1,ranks=4]", 0.0)}) {
    const GameTree tree(*make_game(name));
    const auto fine = solved(tree, "buckets=1000", 150'000), coarse = solved(tree, "buckets=6", 150'000);
    const double near = exploitability(tree, fine->solution());
    EXPECT_LT(near, 0.03) << name;
    EXPECT_GT(exploitability(tree, coarse->solution()), 2 * near) << name;
    if (value != 0) {
      EXPECT_NEAR(expected_returns(tree, fine->solution())[0], value, 0.02);
    }
  }
}

TEST(TreeMccfr, GoesOnAsIfItHadNeverStopped) {
  const GameTree tree(*make_game("mini_draw_single"));
  const auto whole = solved(tree, "tables=3", 3000), part = solved(tree, "tables=3", 1000, 2);
  TensorFile file;
  part->save(file);
  const auto again = tabular::make_solver("bucket_mccfr[tables=3]", tree, {3, 1});
  again->load(file);
  again->run(2000);
  EXPECT_EQ(again->average().probability, whole->average().probability);
  EXPECT_EQ(again->current().probability, whole->current().probability);
  EXPECT_NE(part->average().probability, whole->average().probability);
  file.tensors["state.sum.1"] = {{2}, std::vector<double>{1, 1}};
  EXPECT_THROW(again->load(file), CheckpointError);
}

// With gamma 1 the second iteration counts twice, with gamma 0 once; the random draws are the same.
TEST(TreeMccfr, LaterIterationsCountMoreInTheRegrets) {
  const GameTree tree(*make_game("mini_draw_single"));
  const auto second = [&](const std::string& gamma) {
    std::vector<double> change;
    for (const std::int64_t iterations : {1, 2}) {
      TensorFile file;
      solved(tree, "buckets=3,gamma=" + gamma, iterations)->save(file);
      std::vector<double> regret = file.get<double>("state.regret.0");
      for (std::size_t i = 0; i < change.size(); ++i) regret[i] -= change[i];
      change = std::move(regret);
    }
    return change;
  };
  const std::vector<double> once = second("0"), twice = second("1");
  int doubled = 0;
  for (std::size_t i = 0; i < once.size(); ++i)
    doubled += once[i] != 0 && std::abs(twice[i] - 2 * once[i]) < 1e-12 ? 1 : 0;
  EXPECT_GE(doubled, 3);
}

TEST(TreeMccfr, IsForDrawGames) {
  const GameTree tree(*make_game("leduc"));
  EXPECT_TRUE(test::refuses<UsageError>("'leduc' is none", [&] { solved(tree, "buckets=5", 1); }));
}

}  // namespace
}  // namespace dealer::tree_mccfr_test
