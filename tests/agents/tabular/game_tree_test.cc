// Trees: how large they are, that their parts fit together, what is refused.
#include "agents/tabular/game_tree.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "agents/tabular/tree_builder.h"
#include "env/core/registry.h"
#include "tests/support/coin_game.h"
#include "tests/support/error_message.h"

namespace dealer::tabular::game_tree_test {
namespace {

std::array<int, 4> sizes(const std::string& spec) {
  const GameTree tree(*make_game(spec));
  return {static_cast<int>(tree.nodes().size()), tree.ends(), tree.first_set(1), tree.first_set(2) - tree.first_set(1)};
}

GameTree coin_tree(test::CoinRules rules) {
  const auto game =
      std::make_shared<TypedGame<test::CoinState>>(GameId{"coin", "coin", "coin", ""}, rules, "chips", true);
  return build_tree(*game);
}

// Nodes, ends and information sets by seat, counted over all deals; those of Kuhn and Leduc are published.
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

TEST_P(AnyTree, IsWrittenWithoutGaps) {
  const auto nodes = tree_.nodes();
  std::vector<int> parents(nodes.size());
  int ends = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GameTree::Node& node = nodes[i];
    if (node.turn == kTerminal) {
      ++ends;
      ASSERT_EQ(node.children, 0);
      continue;
    }
    ASSERT_EQ(node.set >= 0, node.turn >= 0);
    ASSERT_GT(static_cast<std::size_t>(node.first), i);
    double sum = 0;
    for (std::int32_t c = node.first; c < node.first + node.children; ++c) {
      ++parents[static_cast<std::size_t>(c)];
      sum += nodes[static_cast<std::size_t>(c)].probability;
    }
    ASSERT_NEAR(sum, node.turn == kChance ? 1 : node.children, 1e-12);
    if (node.set < 0) continue;
    const GameTree::InformationSet& set = tree_.sets()[static_cast<std::size_t>(node.set)];
    ASSERT_EQ(set.seat, node.turn);
    ASSERT_EQ(set.actions, node.children);
    ASSERT_EQ(set.actions, std::popcount(set.legal));
  }
  EXPECT_EQ(ends, tree_.ends());
  EXPECT_EQ(parents[0], 0);
  for (std::size_t i = 1; i < parents.size(); ++i) ASSERT_EQ(parents[i], 1);
}

// The sequences of the ends, and those that lead to the sets, are the moves on the way from the root.
TEST_P(AnyTree, KnowsTheMovesOnTheWay) {
  const auto players = static_cast<std::size_t>(tree_.players());
  std::vector<std::vector<std::int32_t>> last(tree_.nodes().size());
  for (Seat seat = 0; seat < tree_.players(); ++seat) last[0].push_back(tree_.first_sequence(seat));
  std::vector<double> chance(tree_.nodes().size(), 1);
  double sum = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const GameTree::Node& node = tree_.nodes()[i];
    if (node.turn == kTerminal) {
      const auto end = static_cast<std::size_t>(node.first);
      for (std::size_t seat = 0; seat < players; ++seat)
        ASSERT_EQ(tree_.end_sequences()[end * players + seat], last[i][seat]);
      ASSERT_DOUBLE_EQ(tree_.chance()[end], chance[i]);
      sum += tree_.chance()[end] / static_cast<double>(tree_.ends());
    }
    for (std::int32_t a = 0; a < node.children; ++a) {
      const auto child = static_cast<std::size_t>(node.first + a);
      chance[child] = chance[i] * tree_.nodes()[child].probability;
      last[child] = last[i];
      if (node.set < 0) continue;
      const GameTree::InformationSet& set = tree_.sets()[static_cast<std::size_t>(node.set)];
      ASSERT_EQ(set.parent, last[i][static_cast<std::size_t>(node.turn)]);
      last[child][static_cast<std::size_t>(node.turn)] = set.first + a;
    }
  }
  EXPECT_GT(sum, 0);
}

TEST_P(AnyTree, NumbersTheSequencesOfASeatInARow) {
  std::int32_t next = 0;
  std::size_t set = 0;
  for (Seat seat = 0; seat < tree_.players(); ++seat) {
    ASSERT_EQ(tree_.first_sequence(seat), next++);
    ASSERT_EQ(tree_.first_set(seat), static_cast<int>(set));
    for (; set < tree_.sets().size() && tree_.sets()[set].seat == seat; ++set) {
      ASSERT_EQ(tree_.sets()[set].first, next);
      ASSERT_LT(tree_.sets()[set].parent, next);
      next += tree_.sets()[set].actions;
    }
  }
  EXPECT_EQ(set, tree_.sets().size());
  EXPECT_EQ(tree_.sequences(), next);
}

TEST_P(AnyTree, ListsThePayoffsOfASeatByItsSequences) {
  const auto players = static_cast<std::size_t>(tree_.players());
  for (std::size_t seat = 0; seat < players; ++seat) {
    // By sequences of all, since several ends may have the same.
    std::map<std::vector<std::int32_t>, double> ends, listed;
    for (std::size_t end = 0; end < static_cast<std::size_t>(tree_.ends()); ++end) {
      std::vector<std::int32_t> key = {tree_.end_sequences()[end * players + seat]};
      for (std::size_t other = 0; other < players; ++other)
        if (other != seat) key.push_back(tree_.end_sequences()[end * players + other]);
      const double amount = tree_.chance()[end] * tree_.returns()[end * players + seat];
      if (amount != 0) ends[key] += amount;
    }
    const GameTree::Payoffs& payoffs = tree_.payoffs(static_cast<Seat>(seat));
    const std::int32_t empty = tree_.first_sequence(static_cast<Seat>(seat));
    ASSERT_EQ(payoffs.others.size(), payoffs.amount.size() * (players - 1));
    for (std::size_t s = 0; s + 1 < payoffs.first.size(); ++s)
      for (auto entry = static_cast<std::size_t>(payoffs.first[s]);
           entry < static_cast<std::size_t>(payoffs.first[s + 1]); ++entry) {
        std::vector<std::int32_t> key = {empty + static_cast<std::int32_t>(s)};
        const auto others = payoffs.others.begin() + static_cast<std::ptrdiff_t>(entry * (players - 1));
        key.insert(key.end(), others, others + static_cast<std::ptrdiff_t>(players - 1));
        ASSERT_NE(payoffs.amount[entry], 0);
        listed[key] += payoffs.amount[entry];
      }
    EXPECT_EQ(listed, ends);
    EXPECT_EQ(static_cast<std::size_t>(payoffs.first.back()), payoffs.amount.size());
  }
}

TEST_P(AnyTree, HasWhatFollowsFromAFirstDecisionTogether) {
  for (Seat seat = 0; seat < tree_.players(); ++seat) {
    std::int32_t begin = 0;  // first sequence of the first decision at hand
    for (int s = tree_.first_set(seat); s < tree_.first_set(seat + 1); ++s) {
      const GameTree::InformationSet& set = tree_.sets()[static_cast<std::size_t>(s)];
      if (set.parent == tree_.first_sequence(seat))
        begin = set.first;
      else
        ASSERT_GE(set.parent, begin);
    }
  }
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
      const Observation seen = env->observe(env->current_player());
      const int set = tree_.find(seen.player, seen.data);
      ASSERT_GE(set, 0);
      ASSERT_EQ(tree_.observation(set).data, seen.data);
      ASSERT_EQ(tree_.observation(set).legal_mask, seen.legal_mask);
      ASSERT_EQ(tree_.observation(set).player, seen.player);
      ASSERT_EQ(tree_.information_text(set), env->information_state(seen.player).text);
      ASSERT_EQ(tree_.find(1 - seen.player, seen.data), -1);
      // Who waits has nothing to decide.
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
  const GameTree tree = coin_tree({3, 2});
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
  // Bets of another size are seen in no observation, more cards are.
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
    const std::string message = test::error_message<UsageError>([&] { coin_tree(rules); });
    EXPECT_EQ(message.find("'coin' is no game of perfect recall: seat "), 0U) << message;
  }
}

}  // namespace
}  // namespace dealer::tabular::game_tree_test
