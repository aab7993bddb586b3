// Solutions as files and as agents; invalid files.
#include "agents/agent_registry.h"
#include "agents/tabular/solution_file.h"
#include "agents/tabular/values.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/support/testing.h"

namespace dealer::tabular::solution_test {
namespace {

using test::error_message;

class SolutionFile : public testing::Test {
 protected:
  SolutionFile() { file_.name = "f"; }
  // The error of reading the file after a modification.
  template <class F>
  std::string refusal(F change) const {
    TensorFile bad = file_;
    change(bad);
    return error_message<CheckpointError>([&] { read_policy(bad, tree_); });
  }
  std::string refusal_of_number(std::size_t place, float number) const {
    return refusal(
        [&](TensorFile& bad) { std::get<std::vector<float>>(bad.tensors["probability"].data)[place] = number; });
  }

  GamePtr game_ = make_game("leduc");
  GameTree tree_{*game_};
  Policy policy_ = test::random_policy(tree_, 4);
  TensorFile file_ = to_file(tree_, policy_, {"dcfr[alpha=2]", 123, 9, 0.25});
};

TEST_F(SolutionFile, HoldsThePolicy) {
  const Policy read = read_policy(file_, tree_);
  for (std::size_t s = 0; s < read.probability.size(); ++s)
    ASSERT_NEAR(read.probability[s], policy_.probability[s], 1e-6);
  for (const GameTree::InformationSet& set : tree_.sets()) {
    double sum = 0;
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a) sum += read.probability[at(a)];
    ASSERT_NEAR(sum, 1, 1e-15);
  }
  // 936 sets, 2,186 sequences: stored without the empty ones and the last of each set.
  EXPECT_EQ(file_.tensors.at("probability").shape, std::vector<std::int64_t>{2186 - 2 - 936});
  EXPECT_EQ(file_.tensors.size(), 1U);
  const SolutionInfo info = read_info(file_);
  EXPECT_EQ(info.algorithm, "dcfr[alpha=2]");
  EXPECT_EQ(info.iterations, 123);
  EXPECT_EQ(info.seed, 9U);
  EXPECT_EQ(info.exploitability, 0.25);
  EXPECT_EQ(file_.metadata.at("game"), "leduc");
  EXPECT_EQ(file_.metadata.at("rules"), game_->id().rules);
}

// Single precision: three equal probabilities leave a little less, or more, for the last.
TEST_F(SolutionFile, HoldsCertainMoves) {
  Policy certain = uniform_policy(tree_);
  for (const GameTree::InformationSet& set : tree_.sets())
    for (std::int32_t a = 0; a < set.actions; ++a)
      certain.probability[at(set.first + a)] = a == set.first % set.actions ? 1 : 0;
  EXPECT_EQ(read_policy(to_file(tree_, certain, {}), tree_).probability, certain.probability);
}

TEST_F(SolutionFile, IsRefusedWhenItIsOfSomethingElse) {
  using Numbers = std::vector<float>;
  const auto set = [](const char* key, const char* value) {
    return [=](TensorFile& bad) { bad.metadata[key] = value; };
  };
  for (const auto& [why, change] : std::vector<std::pair<std::string, std::function<void(TensorFile&)>>>{
           {"|f: its format is 'policy', which is none for 'leduc'; expected 'tabular_policy'", set("format", "policy")},
           {"|f: it solves a game of 'kuhn'; expected one of 'leduc'", set("game", "kuhn")},
           {"|f: it solves 'leduc' under other rules than those of 'leduc'; `dealer solve 'leduc' --out FILE` makes one "
            "for these",
            set("rules", "x")},
           {"|f: its information sets are others than those of 'leduc' here (checksum 00000000, expected ",
            set("tree", "00000000")},
           {"|f: ", [](TensorFile& bad) { bad.tensors.clear(); }},
           {"'probability'",
            [](TensorFile& bad) {
              std::get<Numbers>(bad.tensors["probability"].data).pop_back();
              --bad.tensors["probability"].shape[0];
            }},
           {"'probability'", [](TensorFile& bad) { bad.tensors["probability"].data = std::vector<double>(1248); }}})
    EXPECT_TRUE(test::has('|' + refusal(change), why));
  for (const char* key : {"format", "game", "rules", "tree"})
    EXPECT_TRUE(test::has(refusal([&](TensorFile& bad) { bad.metadata.erase(key); }), key));
}

TEST_F(SolutionFile, IsRefusedWhenItIsNoDistribution) {
  const std::string message =
      "f: its probabilities at '0: Js |' are not a distribution; expected numbers from 0 to 1 that add up to at most 1";
  for (const float wrong : {-0.001F, 1.001F, std::nanf(""), INFINITY}) EXPECT_EQ(refusal_of_number(0, wrong), message);
  // The first set with three moves stores two, each of which may be 1.
  std::size_t place = 0;
  for (const GameTree::InformationSet& set : tree_.sets()) {
    if (set.actions == 3) break;
    ++place;
  }
  TensorFile bad = file_;
  auto& numbers = std::get<std::vector<float>>(bad.tensors["probability"].data);
  numbers[place] = 0.75F;
  numbers[place + 1] = 0.25F;
  EXPECT_NO_THROW(read_policy(bad, tree_));
  numbers[place + 1] = 0.2501F;
  EXPECT_TRUE(test::refuses<CheckpointError>("are not a distribution", [&] { read_policy(bad, tree_); }));
}

TEST_F(SolutionFile, IsRefusedWhenItsFiguresAreNone) {
  for (const auto& [key, value] :
       {std::pair{"iterations", "x"}, std::pair{"iterations", "-1"}, std::pair{"iterations", "1 "},
        std::pair{"iterations", ""}, std::pair{"exploitability", "nan"}, std::pair{"seed", "1.5"}}) {
    TensorFile bad = file_;
    bad.metadata[key] = value;
    EXPECT_EQ(error_message<CheckpointError>([&] { read_info(bad); }),
              std::string("f: ") + key + " is '" + value + "'; expected a number, 0 or more");
  }
}

TEST_F(SolutionFile, HoldsTheSolverWhereItIsToGoOn) {
  EXPECT_EQ(error_message<CheckpointError>([&] { read_solver(file_, tree_, 1); }),
            "f: it contains the solution but not the state of its solver; expected a file of an interrupted `dealer "
            "solve`, or of one with --state");
  for (const char* spec : {"cfr", "mccfr[tables=2]", "mmd"}) {
    const auto solver = make_solver(spec, tree_, {1, 77}), whole = make_solver(spec, tree_, {1, 77});
    whole->run(50);
    solver->run(20);
    const test::TempFolder folder;
    write_safetensors(folder / "s.safetensors", to_file(tree_, solver->solution(), {spec, 20, 77, 0.5}, solver.get()));
    const auto read = read_solver(read_safetensors(folder / "s.safetensors"), tree_, 2);
    EXPECT_EQ(read->iterations(), 20);
    read->run(30);
    EXPECT_EQ(read->current().probability, whole->current().probability) << spec;
    EXPECT_EQ(read->average().probability, whole->average().probability) << spec;
  }
  TensorFile bad = to_file(tree_, policy_, {"magic", 1, 0, 0}, make_solver("cfr", tree_).get());
  bad.name = "f";
  EXPECT_EQ(error_message<CheckpointError>([&] { read_solver(bad, tree_, 1); }),
            "f: there is no algorithm 'magic'; algorithms: cfr, cfr_plus, dcfr, mccfr, bucket_mccfr, mmd");
}

TEST_F(SolutionFile, IsNotMadeOfNumbersThatAreNotFinite) {
  const std::string what = "cfr holds a number that is not finite after 20 iterations; the solution is not written";
  const auto message = [&](const Policy& policy, double exploitability) {
    return error_message<Error>([&] { to_file(tree_, policy, {"cfr", 20, 77, exploitability}); });
  };
  EXPECT_EQ(message(policy_, 0.5), "(no error)");
  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(message(policy_, wrong), what);
    Policy policy = policy_;
    policy.probability.back() = wrong;
    EXPECT_EQ(message(policy, 0.5), what);
  }
}

class SolutionAgents : public SolutionFile {
 protected:
  SolutionAgents() { write_safetensors(path_, file_); }
  AgentFactoryPtr make(const std::string& more = "", const std::string& game = "leduc") const {
    return make_agents(path_ + more, make_game(game));
  }
  test::TempFolder folder_;
  std::string path_ = (folder_ / "s.safetensors").string();
};

TEST_F(SolutionAgents, PlayTheFile) {
  const auto agent = make()->make();
  const Policy said = policy_of(tree_, *agent), file = read_policy(file_, tree_);
  for (std::size_t s = 0; s < said.probability.size(); ++s)
    ASSERT_NEAR(said.probability[s], file.probability[s], 1e-15);
}

TEST_F(SolutionAgents, ActAsOftenAsTheySay) {
  const auto agent = make()->make();
  const int trials = 20'000;
  for (const int set : {0, 30, 400, 900}) {
    const Observation seen = tree_.observation(set);
    const std::vector<double> probability = agent->policy(seen).value();
    const std::vector<Action> legal = seen.legal_actions();
    const auto moves = [&](std::uint64_t seed) {
      agent->reset(seen.player, seed);
      std::vector<Action> actions;
      for (int i = 0; i < trials; ++i) actions.push_back(agent->act(seen).action);
      return actions;
    };
    const std::vector<Action> first = moves(11);
    EXPECT_EQ(moves(11), first);
    EXPECT_NE(moves(12), first);
    for (std::size_t a = 0; a < legal.size(); ++a)
      EXPECT_NEAR(static_cast<double>(std::count(first.begin(), first.end(), legal[a])) / trials, probability[a], 0.02)
          << set;
  }
}

TEST_F(SolutionAgents, KnowWhatAPositionIsWorth) {
  const auto agent = make()->make();
  const Policy policy = read_policy(file_, tree_);
  const std::vector<double> values = action_values(tree_, policy);
  for (int s = 0; s < static_cast<int>(tree_.sets().size()); ++s) {
    const GameTree::InformationSet& set = tree_.sets()[at(s)];
    double sum = 0;
    for (auto a = at(set.first); a < at(set.first + set.actions); ++a) sum += policy.probability[a] * values[a];
    ASSERT_NEAR(agent->value(tree_.observation(s)).value(), sum, 1e-12);
  }
}

TEST_F(SolutionAgents, AreRefused) {
  const auto refusal = [&](const std::string& game) { return error_message<CheckpointError>([&] { make("", game); }); };
  EXPECT_EQ(refusal("kuhn"), path_ + ": it solves a game of 'leduc'; expected one of 'kuhn'");
  EXPECT_TRUE(test::has(refusal("leduc[raises=1]"), "; `dealer solve 'leduc[raises=1]' --out FILE` makes one"));
  EXPECT_TRUE(test::refuses<ConfigError>("unknown key 'rollouts'", [&] { make("[rollouts=3]"); }));
  Observation none = tree_.observation(0);
  none.data.assign(none.data.size(), 7);
  EXPECT_THROW(make()->make()->act(none), UsageError);
  file_.metadata["format"] = "poem";
  write_safetensors(path_, file_);
  EXPECT_EQ(refusal("leduc"), path_ + ": its format is 'poem', which is none for 'leduc'; expected 'tabular_policy'");
  // There is no solution for these rules, so the default is another agent.
  EXPECT_TRUE(test::refuses<UsageError>("|no model in ", [] { make_agents("default", make_game("kuhn[cards=4]")); }));
}

}  // namespace
}  // namespace dealer::tabular::solution_test
