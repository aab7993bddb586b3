#include "agents/tabular/solver.h"

#include "agents/tabular/cfr.h"
#include "agents/tabular/mccfr.h"
#include "agents/tabular/values.h"
#include "tests/support/testing.h"

namespace dealer::tabular::solver_test {
namespace {

using test::error_message;

class AnySolver : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Solver> solver(int threads = 1, std::uint64_t seed = 5) const {
    return make_solver(GetParam(), tree_, {threads, seed});
  }
  static void expect_same(const Solver& a, const Solver& b) {
    EXPECT_EQ(a.iterations(), b.iterations());
    EXPECT_EQ(a.current().probability, b.current().probability);
    EXPECT_EQ(a.average().probability, b.average().probability);
  }
  GameTree tree_{*make_game("leduc")};
};

TEST_P(AnySolver, GoesOnWhereItStoppedAlsoFromAFile) {
  const auto one = solver(), two = solver(), other = solver();
  EXPECT_EQ(one->iterations(), 0);
  EXPECT_EQ(one->current().probability, uniform_policy(tree_).probability);
  EXPECT_EQ(one->average().probability, uniform_policy(tree_).probability);
  one->run(40);
  for (const int more : {0, 7, 10}) two->run(more);
  TensorFile file;
  two->save(file);
  other->run(3);  // all of which load() discards
  other->load(file);
  expect_same(*two, *other);
  other->run(23);
  expect_same(*one, *other);
  two->run(23);
  expect_same(*one, *two);
  EXPECT_NE(one->average().probability, uniform_policy(tree_).probability);
  EXPECT_NE(one->current().probability, one->average().probability);
}

TEST_P(AnySolver, ComputesTheSameWithAnyNumberOfThreads) {
  const auto one = solver(1);
  one->run(30);
  for (const int threads : {0, 2, 3, 7}) {
    const auto more = solver(threads);
    more->run(11);
    more->run(19);
    expect_same(*one, *more);
  }
}

TEST_P(AnySolver, TellsDistributions) {
  const auto it = solver();
  it->run(200);
  for (const Policy& policy : {it->current(), it->average()})
    for (const GameTree::InformationSet& set : tree_.sets()) {
      double sum = 0;
      for (std::int32_t a = set.first; a < set.first + set.actions; ++a) {
        ASSERT_GE(policy.probability[at(a)], 0);
        sum += policy.probability[at(a)];
      }
      ASSERT_NEAR(sum, 1, 1e-12);
    }
}

TEST_P(AnySolver, RefusesStatesThatAreNone) {
  const auto it = solver();
  it->run(5);
  TensorFile good;
  good.name = "f";
  it->save(good);
  const Policy before = it->current();
  const auto refusal = [&](const std::string& tensor, auto change) {
    TensorFile bad = good;
    change(bad.tensors.at(tensor), bad);
    return error_message<CheckpointError>([&] { it->load(bad); });
  };
  for (const auto& entry : good.tensors) {
    const std::string& name = entry.first;
    const auto starts = [&](const std::string& what) {
      return [what, name](const std::string& message) {
        return message.starts_with("f: ") && message.find(what) != std::string::npos &&
               message.find(name) != std::string::npos;
      };
    };
    const std::string none = refusal(name, [&](Tensor&, TensorFile& file) { file.tensors.erase(name); });
    if (name == "state.iterations") {
      EXPECT_TRUE(none.starts_with("f: it contains the solution but not")) << none;
      EXPECT_EQ(refusal(name, [](Tensor& t, TensorFile&) { t.data = std::vector<std::int64_t>{-1}; }),
                "f: tensor 'state.iterations' is -1; expected 0 or more");
      continue;
    }
    EXPECT_PRED1(starts("tensor"), none);
    EXPECT_PRED1(starts("tensor"), refusal(name, [](Tensor& t, TensorFile&) {
                   std::get<std::vector<double>>(t.data).pop_back();
                   --t.shape[0];
                 }));
    for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()})
      EXPECT_PRED1(starts("expected a finite one"),
                   refusal(name, [&](Tensor& t, TensorFile&) { std::get<std::vector<double>>(t.data)[9] = wrong; }));
    if (name.find("sum") != std::string::npos) {
      EXPECT_PRED1(starts("number 9 is -1; expected a finite one, 0 or more"),
                   refusal(name, [](Tensor& t, TensorFile&) { std::get<std::vector<double>>(t.data)[9] = -1; }));
    }
  }
  EXPECT_EQ(it->current().probability, before.probability);
}

INSTANTIATE_TEST_SUITE_P(All, AnySolver,
                         testing::Values("cfr", "cfr_plus", "dcfr", "dcfr[alpha=2,beta=-1,gamma=3]", "mccfr",
                                         "mccfr[gamma=1,tables=3]", "mmd", "mmd[magnet_rate=0.1]"));

// Every option has an effect, and no two have the same.
TEST(Solvers, HaveOptions) {
  const GameTree tree(*make_game("leduc"));
  std::vector<std::vector<double>> seen;
  for (const char* spec :
       {"cfr", "cfr[gamma=1]", "cfr_plus", "cfr_plus[gamma=2]", "dcfr", "dcfr[alpha=1]", "dcfr[beta=0.5]",
        "dcfr[gamma=1]", "mccfr", "mccfr[gamma=1]", "mccfr[tables=2]", "mmd", "mmd[step=1]", "mmd[step_decay=1]",
        "mmd[temperature=2]", "mmd[temperature_decay=1]", "mmd[magnet_rate=0.5]", "mmd[gamma=0]"}) {
    const auto solver = make_solver(spec, tree, {1, 1});
    solver->run(20);
    for (const auto& other : seen) EXPECT_NE(solver->average().probability, other) << spec;
    seen.push_back(solver->average().probability);
  }
}

TEST(Solvers, AreRefusedByName) {
  for (const auto& [spec, why] :
       {std::pair("cfrplus",
                  "|there is no algorithm 'cfrplus'; did you mean 'cfr_plus'?; algorithms: cfr, cfr_plus, "
                  "dcfr, mccfr, bucket_mccfr, mmd"),
        std::pair("dcfr[alpa=1]",
                  "|algorithm 'dcfr[alpa=1]': override 'alpa=1': unknown key 'alpa'; did you mean "
                  "'alpha'? allowed: alpha, beta, gamma"),
        std::pair("mccfr[tables=0]", "tables: 0 is not allowed; expected an integer from 1 to 256"),
        std::pair("mmd[step=0]", "step: 0 is not allowed"), std::pair("cfr[alpha=1]", "|algorithm 'cfr[alpha=1]': ")})
    EXPECT_TRUE(test::refuses<UsageError>(why, [&, s = spec] { solver_maker(s); }));
}

// No two iterations have the same random draws, across tables and seeds as well.
TEST(Mccfr, DrawsAnewInEveryIteration) {
  const GameTree tree(*make_game("leduc"));
  std::set<std::vector<double>> regrets;
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto solver = make_solver("mccfr[tables=3]", tree, {1, seed});
    solver->run(3);
    TensorFile file;
    solver->save(file);
    for (const char* table : {"0", "1", "2"}) regrets.insert(file.get<double>(std::string("state.regret.") + table));
  }
  EXPECT_EQ(regrets.size(), 6U);
}

// Starting from zero, an iteration with weight two doubles all numbers: regret matching is scale-invariant.
TEST(Mccfr, GammaWeighsRegretsAndTheAverage) {
  for (const auto& [game, algorithm, options] :
       {std::tuple("leduc", "mccfr", ""), {"mini_draw_single", "bucket_mccfr", "buckets=3,"}}) {
    const GameTree tree(*make_game(game));
    const auto second_iteration = [&](const std::string& gamma) {
      const auto solver = make_solver(fmt::format("{}[{}gamma={}]", algorithm, options, gamma), tree, {1, 1});
      TensorFile file;
      solver->save(file);
      std::get<std::vector<std::int64_t>>(file.tensors.at("state.iterations").data) = {1};
      solver->load(file);
      solver->run(1);
      solver->save(file);
      return file;
    };
    const TensorFile once = second_iteration("0"), twice = second_iteration("1");
    for (const char* name : {"state.regret.0", "state.sum.0"}) {
      std::vector<double> doubled = once.get<double>(name);
      EXPECT_GT(std::ranges::count_if(doubled, [](double number) { return number != 0; }), 3) << algorithm << name;
      for (double& number : doubled) number *= 2;
      EXPECT_EQ(twice.get<double>(name), doubled) << algorithm << name;
    }
  }
}

// At a constant temperature, log-probability differences in a set are value differences divided by it.
TEST(Mmd, FindsTheQuantalResponseEquilibrium) {
  for (const char* spec : {"kuhn", "leduc"}) {
    const GameTree tree(*make_game(spec));
    const double temperature = 0.5;
    const auto solver = make_solver("mmd[temperature=0.5,temperature_decay=0,step=0.1,step_decay=0]", tree);
    solver->run(3000);
    const Policy policy = solver->current();
    const std::vector<double> values = action_values(tree, policy);
    for (const GameTree::InformationSet& set : tree.sets()) {
      const auto first = at(set.first);
      for (std::size_t a = first + 1; a < first + at(set.actions); ++a)
        ASSERT_NEAR(std::log(policy.probability[a] / policy.probability[first]),
                    (values[a] - values[first]) / temperature, 1e-6)
            << spec;
    }
  }
}

// A magnet equal to the last policy exerts no pull: it only shortens the step.
TEST(Mmd, MovesItsMagnet) {
  const GameTree tree(*make_game("leduc"));
  const auto moving = make_solver("mmd[magnet_rate=1,temperature=1,temperature_decay=0,step=0.25,step_decay=0]", tree);
  const auto none = make_solver("mmd[temperature=0,step=0.2,step_decay=0]", tree);
  moving->run(10);
  none->run(10);
  const Policy a = moving->current(), b = none->current();
  for (std::size_t s = 0; s < a.probability.size(); ++s) ASSERT_NEAR(a.probability[s], b.probability[s], 1e-12);
}

// Iterations add their weights: with three tables 0 and 3 are those of the first, 1 and 4 of the second.
TEST(RegretTables, TakeTurnsAndCountLaterIterationsMore) {
  for (const int threads : {1, 2}) {
    RegretTables<double> tables(1, 3, 1, 0, threads);
    const auto add = [](RegretTable<double>& table, double weight, RandomStream&) {
      table.regret[0] += weight;
      table.sum[0] += 10 * weight;
    };
    tables.run(5, add);
    EXPECT_EQ(tables.iterations(), 5);
    EXPECT_EQ(tables.sum(), std::vector<double>{70});
    EXPECT_EQ(tables.current().regret[0], 1) << "the third is next";
    tables.run(1, add);
    EXPECT_EQ(tables.sum(), std::vector<double>{90});
    EXPECT_EQ(tables.current().regret[0], 3);
    TensorFile file;
    tables.save(file);
    RegretTables<double> again(1, 3, 1, 0, threads);
    again.load(file);
    again.run(1, add);
    EXPECT_EQ(again.sum(), std::vector<double>{120});
    EXPECT_TRUE(again.finite());
  }
  RegretTables<double> same(1, 1, 0, 0, 1);
  same.run(4, [](RegretTable<double>& table, double weight, RandomStream&) { table.sum[0] += weight; });
  EXPECT_EQ(same.sum(), std::vector<double>{4}) << "without gamma all count alike";
}

}  // namespace
}  // namespace dealer::tabular::solver_test
