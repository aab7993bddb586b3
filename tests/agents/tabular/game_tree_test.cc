#include "agents/tabular/game_tree.h"

#include "agents/tabular/cfr.h"
#include "agents/tabular/tree_builder.h"
#include "agents/tabular/values.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/support/coin_game.h"
#include "tests/support/testing.h"

namespace dealer::tabular::game_tree_test {
namespace {

std::array<int, 4> sizes(const std::string& spec) {
  const GameTree tree(*make_game(spec));
  return {static_cast<int>(tree.nodes().size()), tree.ends(), tree.first_set(1), tree.first_set(2) - tree.first_set(1)};
}

// Nodes, terminal nodes and information sets by seat, over all deals; those of Kuhn and Leduc are published.
TEST(GameTrees, HaveTheKnownSizes) {
  EXPECT_EQ(sizes("kuhn"), (std::array{58, 30, 6, 6}));
  EXPECT_EQ(sizes("leduc"), (std::array{9457, 5520, 468, 468}));
  EXPECT_EQ(sizes("mini_draw_single"), (std::array{26476, 12600, 1395, 1485}));
  EXPECT_EQ(sizes("mini_draw"), (std::array{208816, 113760, 10395, 10845}));
}

class AnyTree : public testing::TestWithParam<const char*> {
 protected:
  GamePtr game_ = make_game(GetParam());
  GameTree tree_{*game_};
};

// The sequences of terminal nodes, and those leading to sets, are the moves on the path from the root.
TEST_P(AnyTree, IsWrittenWithoutGapsAndKnowsTheMovesOnTheWay) {
  const auto nodes = tree_.nodes();
  const auto players = at(tree_.players());
  std::vector<std::vector<std::int32_t>> last(nodes.size());
  for (Seat seat = 0; seat < tree_.players(); ++seat) last[0].push_back(tree_.first_sequence(seat));
  std::vector<double> chance(nodes.size(), 1);
  std::vector<int> parents(nodes.size());
  int ends = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GameTree::Node& node = nodes[i];
    if (node.turn == kTerminal) {
      ++ends;
      ASSERT_EQ(node.children, 0);
      ASSERT_DOUBLE_EQ(tree_.chance()[at(node.first)], chance[i]);
      for (std::size_t seat = 0; seat < players; ++seat)
        ASSERT_EQ(tree_.end_sequences()[at(node.first) * players + seat], last[i][seat]);
      continue;
    }
    ASSERT_EQ(node.set >= 0, node.turn >= 0);
    ASSERT_GT(at(node.first), i);
    double sum = 0;
    for (std::int32_t a = 0; a < node.children; ++a) {
      const auto child = at(node.first + a);
      ++parents[child];
      sum += nodes[child].probability;
      chance[child] = chance[i] * nodes[child].probability;
      last[child] = last[i];
      if (node.set >= 0) last[child][at(node.turn)] = tree_.sets()[at(node.set)].first + a;
    }
    ASSERT_NEAR(sum, node.turn == kChance ? 1 : node.children, 1e-12);
    if (node.set < 0) continue;
    const GameTree::InformationSet& set = tree_.sets()[at(node.set)];
    ASSERT_EQ(set.seat, node.turn);
    ASSERT_EQ(set.parent, last[i][at(node.turn)]);
    ASSERT_EQ(set.actions, node.children);
    ASSERT_EQ(set.actions, std::popcount(set.legal));
  }
  EXPECT_EQ(ends, tree_.ends());
  EXPECT_EQ(parents[0], 0);
  for (std::size_t i = 1; i < parents.size(); ++i) ASSERT_EQ(parents[i], 1);
}

TEST_P(AnyTree, FindsWhatAPlayerSeesAtTheTable) {
  const auto env = game_->new_env();
  std::set<std::string> texts;
  for (std::size_t s = 0; s < tree_.sets().size(); ++s) texts.insert(tree_.information_text(static_cast<int>(s)));
  EXPECT_EQ(texts.size(), tree_.sets().size());
  RandomStream rng(1);
  for (std::uint64_t hand = 0; hand < 200; ++hand) {
    env->reset(hand);
    while (env->current_player() != kTerminal) {
      const Observation seen = test::seen_at(*env);
      const int set = tree_.find(seen.player, seen.data);
      ASSERT_GE(set, 0);
      ASSERT_EQ(tree_.observation(set).data, seen.data);
      ASSERT_EQ(tree_.observation(set).legal_mask, seen.legal_mask);
      ASSERT_EQ(tree_.observation(set).player, seen.player);
      ASSERT_EQ(tree_.information_text(set), env->information_state(seen.player).text);
      ASSERT_EQ(tree_.find(1 - seen.player, seen.data), -1);
      // A waiting player has no information set.
      ASSERT_EQ(tree_.find(1 - seen.player, env->observe(1 - seen.player).data), -1);
      const std::vector<Action> legal = env->legal_actions();
      env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  }
  EXPECT_EQ(tree_.find(0, std::vector<float>(3)), -1);
}

INSTANTIATE_TEST_SUITE_P(Games, AnyTree,
                         testing::Values("kuhn", "kuhn[cards=5,raises=3]", "leduc", "mini_draw_single",
                                         "mini_draw[ranks=3,suits=1,hand=1]", "mini_draw_single[ranks=7,suits=1]"));

TEST(GameTrees, OfOnesOwnGame) {
  const GameTree tree = test::coin_tree({3, 2});
  EXPECT_EQ(tree.players(), 3);
  EXPECT_EQ(tree.ends(), 16);
  EXPECT_EQ(tree.sets().size(), 2U + 2U + 2U);
  EXPECT_NE(tree.information_text(0), tree.information_text(1));
}

TEST(GameTrees, MustFit) {
  const GamePtr kuhn = make_game("kuhn");
  EXPECT_NO_THROW(GameTree(*kuhn, 58));
  EXPECT_EQ(test::error_message<UsageError>([&] { GameTree(*kuhn, 57); }),
            "the tree of 'kuhn' is too large to be walked: expected at most 57 nodes");
  EXPECT_EQ(count_nodes(*kuhn), 58);
  EXPECT_EQ(count_nodes(*make_game("leduc"), 100), 101);
  EXPECT_EQ(count_nodes(*make_game("holdem")), 0);
  EXPECT_TRUE(has_tree(*kuhn, 58));
  EXPECT_FALSE(has_tree(*kuhn, 57));
}

TEST(GameTrees, HaveAChecksumOfTheirSets) {
  EXPECT_EQ(GameTree(*make_game("leduc")).checksum(), GameTree(*make_game("leduc")).checksum());
  // A bet of another size does not change observations, more cards do.
  EXPECT_NE(GameTree(*make_game("leduc")).checksum(), GameTree(*make_game("leduc[ranks=4]")).checksum());
  EXPECT_GT(GameTree(*make_game("leduc")).memory(), 9457 * sizeof(GameTree::Node));
}

TEST(GameTrees, NeedChanceMoves) {
  EXPECT_EQ(test::error_message<UsageError>([] { GameTree(*make_game("holdem")); }),
            "'holdem' does not list its chance moves: its tree cannot be walked; expected a small game");
  EXPECT_FALSE(has_tree(*make_game("ofc")));
}

TEST(GameTrees, NeedPerfectRecall) {
  for (const test::CoinRules& rules : {test::CoinRules{2, 1, true, false}, test::CoinRules{2, 1, false, true}}) {
    const std::string message = test::error_message<UsageError>([&] { test::coin_tree(rules); });
    EXPECT_EQ(message.find("'coin' is not a game of perfect recall: seat "), 0U) << message;
  }
}

void expect_weights(const GameTree& tree) {
  const Policy policy = test::random_policy(tree, 3);
  std::vector<double> reach(policy.probability.size());
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    std::vector<double> node_weight(tree.nodes().size(), 1), weight(tree.sets().size());
    for (std::size_t n = 0; n < node_weight.size(); ++n) {
      const GameTree::Node& node = tree.nodes()[n];
      if (node.turn == seat) weight[at(node.set)] += node_weight[n];
      if (node.turn == kTerminal) continue;
      for (std::int32_t c = 0; c < node.children; ++c) {
        const auto child = at(node.first + c);
        node_weight[child] = node_weight[n] * tree.nodes()[child].probability;
        if (node.turn >= 0 && node.turn != seat)
          node_weight[child] *= policy.probability[at(tree.sets()[at(node.set)].first + c)];
      }
    }
    const Histories histories(tree, seat);
    for (int s = tree.first_set(seat); s < tree.first_set(seat + 1); ++s)
      ASSERT_NEAR(histories.weight(s, reach), weight[at(s)], 1e-12) << tree.information_text(s);
  }
}

TEST(Histories, AreAsLikelyAsTheirNodes) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw_single"}) expect_weights(GameTree(*make_game(spec)));
  expect_weights(test::coin_tree({3, 2}));
}

TEST(TreeParts, AreAllSetsOnceAndLeadNowhereElse) {
  EXPECT_EQ(TreeParts(GameTree(*make_game("leduc")), 0).threads(), 1) << "small, and no more are asked for";
  for (const char* spec : {"kuhn", "leduc", "mini_draw_single"}) {
    const GameTree tree(*make_game(spec));
    for (const int threads : {1, 2, 3, 8}) {
      TreeParts parts(tree, threads);
      EXPECT_EQ(parts.threads(), threads);
      for (Seat seat = 0; seat < tree.players(); ++seat) {
        std::vector<int> of_set(tree.sets().size(), -1);
        std::atomic<int> part = 0;
        parts.run(seat, [&](std::int32_t first, std::int32_t last) {
          const int mine = part++;
          for (std::int32_t s = first; s < last; ++s) of_set[at(s)] = mine;
        });
        EXPECT_LE(part, threads);
        EXPECT_GE(part, std::min(threads, 3)) << spec;
        std::map<std::int32_t, int> part_of_sequence;
        for (int s = 0; s < static_cast<int>(tree.sets().size()); ++s) {
          const GameTree::InformationSet& set = tree.sets()[at(s)];
          const int mine = of_set[at(s)];
          ASSERT_EQ(mine >= 0, set.seat == seat);
          if (mine < 0) continue;
          if (set.parent != tree.first_sequence(seat)) {
            ASSERT_EQ(part_of_sequence.at(set.parent), mine);
          }
          for (std::int32_t a = 0; a < set.actions; ++a) part_of_sequence[set.first + a] = mine;
        }
      }
    }
  }
}

}  // namespace
}  // namespace dealer::tabular::game_tree_test
