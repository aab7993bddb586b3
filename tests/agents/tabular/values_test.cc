// Values of policies, against recursions that know nothing of sequences.
#include "agents/tabular/values.h"

#include <gtest/gtest.h>

#include "agents/tabular/tree_builder.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/support/coin_game.h"

namespace dealer::tabular::values_test {
namespace {

TEST(PolicyValues, AreThoseOfTheSlowRecursion) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw[ranks=4,suits=1,hand=1]"}) {
    const GamePtr game = make_game(spec);
    const GameTree tree(*game);
    const test::Walk walk = test::walk_tree<small::State>(small::as_small(*game)->rules());
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Policy policy = test::random_policy(tree, seed);
      const std::vector<double> value = expected_returns(tree, policy);
      EXPECT_NEAR(value[0], test::slow_value(walk, test::slow_strategy(walk, tree, policy)), 1e-12) << spec;
      EXPECT_NEAR(value[0] + value[1], 0, 1e-12);
    }
  }
}

// The value of a move where it can be made: weighted over the nodes of the information set, from their own subtrees.
TEST(ActionValues, AreThoseOfTheSubtrees) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw[ranks=4,suits=1,hand=1]"}) {
    const GameTree tree(*make_game(spec));
    const Policy policy = test::random_policy(tree, 4);
    const auto p = [&](std::int32_t sequence) { return policy.probability[static_cast<std::size_t>(sequence)]; };
    const auto nodes = tree.nodes();
    std::vector<std::array<double, 2>> value(nodes.size());
    std::vector<std::array<double, 2>> others(nodes.size(), {1, 1});  // how others and chance reach a node
    const auto weight = [&](const GameTree::Node& node, std::int32_t a) {
      return node.turn == kChance ? nodes[static_cast<std::size_t>(node.first + a)].probability
                                  : p(tree.sets()[static_cast<std::size_t>(node.set)].first + a);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::int32_t a = 0; a < nodes[i].children; ++a)
        for (std::size_t seat = 0; seat < 2; ++seat)
          others[static_cast<std::size_t>(nodes[i].first + a)][seat] =
              others[i][seat] * (nodes[i].turn == static_cast<Seat>(seat) ? 1 : weight(nodes[i], a));
    std::vector<double> sum(policy.probability.size()), total(policy.probability.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].turn == kTerminal)
        for (std::size_t seat = 0; seat < 2; ++seat)
          value[i][seat] = tree.returns()[2 * static_cast<std::size_t>(nodes[i].first) + seat];
      for (std::int32_t a = 0; a < nodes[i].children; ++a) {
        const auto child = static_cast<std::size_t>(nodes[i].first + a);
        for (std::size_t seat = 0; seat < 2; ++seat) value[i][seat] += weight(nodes[i], a) * value[child][seat];
        if (nodes[i].set < 0) continue;
        const auto seat = static_cast<std::size_t>(nodes[i].turn);
        const auto sequence = static_cast<std::size_t>(tree.sets()[static_cast<std::size_t>(nodes[i].set)].first + a);
        sum[sequence] += others[i][seat] * value[child][seat];
        total[sequence] += others[i][seat];
      }
    }
    const std::vector<double> values = action_values(tree, policy);
    for (const GameTree::InformationSet& set : tree.sets())
      for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
        ASSERT_NEAR(values[static_cast<std::size_t>(a)],
                    sum[static_cast<std::size_t>(a)] / total[static_cast<std::size_t>(a)], 1e-9)
            << spec;
  }
}

// By hand: with the king facing a bet a call wins two and a fold loses one; with the jack either loses.
TEST(ActionValues, OfKuhnPokerAreThoseWorkedOutByHand) {
  const GameTree tree(*make_game("kuhn"));
  const std::vector<double> values = action_values(tree, uniform_policy(tree));
  const auto expect = [&](const std::string& text, double first, double second) {
    for (std::size_t s = 0; s < tree.sets().size(); ++s) {
      if (tree.information_text(static_cast<int>(s)) != text) continue;
      const auto move = static_cast<std::size_t>(tree.sets()[s].first);
      EXPECT_DOUBLE_EQ(values[move], first) << text;
      EXPECT_DOUBLE_EQ(values[move + 1], second) << text;
      return;
    }
    FAIL() << text;
  };
  expect("1: Ks | bet", -1, 2);
  expect("1: Js | bet", -1, -2);
  expect("1: Qs | bet", -1, 0);
  expect("0: Ks | check, bet", -1, 2);
  // A check is checked half of the time, and else the king folds or calls; a bet is folded or called.
  expect("0: Ks |", 0.5 * 1 + 0.5 * (0.5 * -1 + 0.5 * 2), 0.5 * 1 + 0.5 * 2);
  expect("0: Js |", 0.5 * -1 + 0.5 * (0.5 * -1 + 0.5 * -2), 0.5 * 1 + 0.5 * -2);
}

// Three players: seat 0 tells the truth, seat 1 believes it, seat 2 guesses.
TEST(PolicyValues, WorkForMoreThanTwoPlayers) {
  const auto game = std::make_shared<TypedGame<test::CoinState>>(GameId{"coin", "coin", "coin", ""},
                                                                 test::CoinRules{3, 2}, "chips", true);
  const GameTree tree = build_tree(*game);
  Policy policy = uniform_policy(tree);
  for (int s = 0; s < tree.first_set(2); ++s) {
    const GameTree::InformationSet& set = tree.sets()[static_cast<std::size_t>(s)];
    // Seat 0 sees the coin in numbers 0 and 1, seat 1 what was said in numbers 2 and 3.
    const std::size_t word = set.seat == 0 ? 1 : 3;
    const double tails = static_cast<double>(tree.observation(s).data[word]);
    policy.probability[static_cast<std::size_t>(set.first)] = 1 - tails;
    policy.probability[static_cast<std::size_t>(set.first + 1)] = tails;
  }
  EXPECT_EQ(expected_returns(tree, policy), (std::vector<double>{-2, 2, 0}));
}

}  // namespace
}  // namespace dealer::tabular::values_test
