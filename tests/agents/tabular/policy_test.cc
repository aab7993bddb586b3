#include "agents/tabular/policy.h"

#include "agents/tabular/cfr.h"
#include "agents/tabular/tree_builder.h"
#include "agents/tabular/values.h"
#include "env/games/small/game.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/coin_game.h"
#include "tests/support/fake_agents.h"
#include "tests/support/testing.h"

namespace dealer::tabular::policy_test {
namespace {

class PolicyOf : public testing::Test {
 protected:
  using Said = std::vector<double>;
  GameTree tree_{*make_game("kuhn")};
  static auto says(Said said) {
    return [said = std::move(said)](const Observation&) { return said; };
  }
  std::string refusal(test::FakeAgent::Functions functions) {
    test::FakeAgent agent(std::move(functions));
    return test::error_message<UsageError>([&] { policy_of(tree_, agent); });
  }
};

TEST_F(PolicyOf, AnAgentIsWhatItSaysEverywhere) {
  int asked = 0;
  Seat own = -1;
  const auto say = [&](const Observation& seen) {
    ++asked;
    EXPECT_EQ(seen.player, own);
    EXPECT_GE(tree_.find(seen.player, seen.data), 0);
    // A different policy for each case: by the legal actions and the seat.
    const double p = (seen.legal_mask == 3 ? 0.25 : 0.5) + 0.125 * seen.player;
    return Said{p, 1 - p};
  };
  test::FakeAgent agent({.reset = [&](Seat seat, std::uint64_t) { own = seat; }, .policy = say});
  const Policy policy = policy_of(tree_, agent);
  EXPECT_EQ(asked, 12);
  ASSERT_EQ(policy.probability.size(), at(tree_.sequences()));
  for (const GameTree::InformationSet& set : tree_.sets()) {
    const double p = (set.legal == 3 ? 0.25 : 0.5) + 0.125 * set.seat;
    EXPECT_EQ(policy.probability[at(set.first)], p);
    EXPECT_EQ(policy.probability[at(set.first + 1)], 1 - p);
  }
  for (Seat seat = 0; seat < 2; ++seat) EXPECT_EQ(policy.probability[at(tree_.first_sequence(seat))], 1);
}

TEST_F(PolicyOf, RandomIsUniform) {
  EXPECT_EQ(policy_of(tree_, *make_agents("random", make_game("kuhn"))->make()).probability,
            uniform_policy(tree_).probability);
}

// It always takes the first legal action, and has no policy().
TEST_F(PolicyOf, OfASilentAgentIsWhatItDoes) {
  test::FakeAgent silent({});
  const Policy policy = policy_of(tree_, silent);
  for (const GameTree::InformationSet& set : tree_.sets()) {
    EXPECT_EQ(policy.probability[at(set.first)], 1);
    EXPECT_EQ(policy.probability[at(set.first + 1)], 0);
  }
}

TEST_F(PolicyOf, NeedsAPolicyOfWhoDecidesByChance) {
  std::uint64_t own = 0;  // one seed in four gives another action
  EXPECT_EQ(
      refusal({.act = [&](const Observation& seen) { return Decision(seen.legal_actions()[own % 4 == 3 ? 1 : 0]); },
               .reset = [&](Seat, std::uint64_t seed) { own = seed; }}),
      "the agent acts at random but gives no action probabilities: at '0: Js |' different seeds make it act "
      "differently");
}

TEST_F(PolicyOf, NeedsLegalActionsNoEventsAndADistribution) {
  EXPECT_EQ(refusal({.act = [](const Observation&) { return Decision::bet_to(7); }}),
            "the agent's decision at '0: Js |' is none of the legal actions");
  EXPECT_EQ(refusal({.on_events = [](std::span<const Event>) {}, .policy = says({0.5, 0.5})}),
            "the agent's policy cannot be queried: it depends on events, not on observations alone");
  EXPECT_EQ(refusal({.policy = says({0.5, 0.25})}),
            "the agent's policy at '0: Js |' is [0.5, 0.25]; expected 2 probabilities that add up to 1");
  for (const Said& said : {Said{1}, {0.5, 0.25, 0.25}, {-0.5, 1.5}, {std::nan(""), 1}, {0, 0}, {}})
    EXPECT_TRUE(test::has(refusal({.policy = says(said)}), "expected 2 probabilities"));
}

// The values of a policy, and of its moves, weighted over the histories of an information set.
TEST(PolicyValues, AreThoseOfTheSlowRecursion) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw[ranks=4,suits=1,hand=1]"}) {
    const GamePtr game = make_game(spec);
    const GameTree tree(*game);
    const test::Walk walk = test::walk_tree<small::State>(small::as_small(*game)->rules());
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Policy policy = test::random_policy(tree, seed);
      const test::SlowStrategy strategy = test::slow_strategy(walk, tree, policy);
      const std::vector<double> value = expected_returns(tree, policy);
      EXPECT_NEAR(value[0], test::slow_value(walk, strategy), 1e-12) << spec;
      EXPECT_NEAR(value[0] + value[1], 0, 1e-12);
      const test::SlowStrategy slow = test::slow_action_values(walk, strategy),
                               fast = test::slow_strategy(walk, tree, {action_values(tree, policy)});
      for (std::size_t s = 0; s < slow.size(); ++s)
        for (std::size_t a = 0; a < slow[s].size(); ++a) ASSERT_NEAR(fast[s][a], slow[s][a], 1e-9) << spec;
    }
  }
}

// Three players: seat 0 tells the truth, seat 1 believes it, seat 2 guesses.
TEST(PolicyValues, WorkForMoreThanTwoPlayers) {
  const GameTree tree = test::coin_tree({3, 2});
  Policy policy = uniform_policy(tree);
  for (int s = 0; s < tree.first_set(2); ++s) {
    const GameTree::InformationSet& set = tree.sets()[at(s)];
    // Seat 0 sees the coin in numbers 0 and 1, seat 1 the announcement in numbers 2 and 3.
    const std::size_t word = set.seat == 0 ? 1 : 3;
    const double tails = static_cast<double>(tree.observation(s).data[word]);
    policy.probability[at(set.first)] = 1 - tails;
    policy.probability[at(set.first + 1)] = tails;
  }
  EXPECT_EQ(expected_returns(tree, policy), (std::vector<double>{-2, 2, 0}));
}

class CfrOf : public testing::TestWithParam<const char*> {
 protected:
  GamePtr game_ = make_game(GetParam());
  GameTree tree_{*game_};
  test::Walk walk_ = test::walk_tree<small::State>(small::as_small(*game_)->rules());
};

// Rounding makes the two diverge eventually, but not so soon.
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

// The value lies between the two players' guarantees: verified by a best response
// that is independent of the solver.
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
}  // namespace dealer::tabular::policy_test
