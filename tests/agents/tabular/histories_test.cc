// How likely information sets are, against the sum over all nodes; parts for threads.
#include <gtest/gtest.h>

#include "agents/tabular/cfr.h"
#include "agents/tabular/tree_builder.h"
#include "agents/tabular/values.h"
#include "env/core/registry.h"
#include "tests/agents/tabular/slow_solver.h"
#include "tests/support/coin_game.h"

namespace dealer::tabular::histories_test {
namespace {

void expect_weights(const GameTree& tree) {
  const Policy policy = test::random_policy(tree, 3);
  std::vector<double> reach(policy.probability.size());
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    std::vector<double> node_weight(tree.nodes().size(), 1), weight(tree.sets().size());
    for (std::size_t n = 0; n < node_weight.size(); ++n) {
      const GameTree::Node& node = tree.nodes()[n];
      if (node.turn == seat) weight[static_cast<std::size_t>(node.set)] += node_weight[n];
      if (node.turn == kTerminal) continue;
      for (std::int32_t c = 0; c < node.children; ++c) {
        const auto child = static_cast<std::size_t>(node.first + c);
        node_weight[child] = node_weight[n] * tree.nodes()[child].probability;
        if (node.turn >= 0 && node.turn != seat)
          node_weight[child] *=
              policy.probability[static_cast<std::size_t>(tree.sets()[static_cast<std::size_t>(node.set)].first + c)];
      }
    }
    const Histories histories(tree, seat);
    for (int s = tree.first_set(seat); s < tree.first_set(seat + 1); ++s)
      ASSERT_NEAR(histories.weight(s, reach), weight[static_cast<std::size_t>(s)], 1e-12) << tree.information_text(s);
  }
}

TEST(Histories, AreAsLikelyAsTheirNodes) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw_single"}) expect_weights(GameTree(*make_game(spec)));
}

TEST(Histories, OfThreePlayers) {
  const auto game = std::make_shared<TypedGame<test::CoinState>>(GameId{"coin", "coin", "coin", ""},
                                                                 test::CoinRules{3, 2}, "chips", true);
  expect_weights(build_tree(*game));
}

TEST(TreeParts, AreAllSetsOnceAndLeadNowhereElse) {
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
          for (std::int32_t s = first; s < last; ++s) of_set[static_cast<std::size_t>(s)] = mine;
        });
        EXPECT_LE(part, threads);
        EXPECT_GE(part, std::min(threads, 3)) << spec;
        std::map<std::int32_t, int> part_of_sequence;
        for (int s = 0; s < static_cast<int>(tree.sets().size()); ++s) {
          const GameTree::InformationSet& set = tree.sets()[static_cast<std::size_t>(s)];
          const int mine = of_set[static_cast<std::size_t>(s)];
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

TEST(TreeParts, OfSmallTreesAreOneUnlessMoreAreAskedFor) {
  EXPECT_EQ(TreeParts(GameTree(*make_game("leduc")), 0).threads(), 1);
}

}  // namespace
}  // namespace dealer::tabular::histories_test
