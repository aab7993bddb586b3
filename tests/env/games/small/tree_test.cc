// The trees that solvers walk: their size, their chance moves, and that dealt hands are played on the same tree.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/games/small/walk.h"
#include "tests/env/harness/random_play.h"

namespace dealer::small {
namespace {

using test::Walk;

const Rules& rules_of(const GamePtr& game) { return as_small(*game)->rules(); }
Walk walk(const std::string& spec) { return test::walk_tree<State>(rules_of(make_game(spec))); }

// Counted by what the players observe, over all deals.
TEST(SmallTrees, HaveTheKnownNumbersOfInformationStates) {
  const auto sets = [](const std::string& spec) { return walk(spec).sets_of; };
  EXPECT_EQ(sets("kuhn"), (std::array{6, 6}));
  EXPECT_EQ(sets("leduc"), (std::array{468, 468}));
  EXPECT_EQ(sets("mini_draw_single"), (std::array{1395, 1485}));
  EXPECT_EQ(sets("mini_draw"), (std::array{10395, 10845}));
}

TEST(SmallTrees, HaveTheKnownNumbersOfHistories) {
  const Walk kuhn = walk("kuhn"), leduc = walk("leduc"), single = walk("mini_draw_single"), draw = walk("mini_draw");
  EXPECT_EQ(kuhn.ends, 30);
  EXPECT_EQ(kuhn.points.size(), 58U);
  EXPECT_EQ(leduc.ends, 5520);
  EXPECT_EQ(leduc.points.size(), 9457U);
  EXPECT_EQ(single.ends, 12600);
  EXPECT_EQ(single.points.size(), 26476U);
  EXPECT_EQ(draw.ends, 113760);
  EXPECT_EQ(draw.points.size(), 208816U);
}

class SmallTree : public testing::TestWithParam<const char*> {};

// With the hands of opponents unseen, what a player has seen and done before must follow from what it sees now.
TEST_P(SmallTree, IsOneOfPerfectRecall) {
  const Walk tree = walk(GetParam());
  std::vector<std::array<std::pair<int, std::size_t>, 2>> last(tree.points.size(), {{{-1, 0}, {-1, 0}}});
  std::vector<std::pair<int, std::size_t>> before(tree.sets.size(), {-2, 0});
  for (std::size_t i = 0; i < tree.points.size(); ++i) {
    const Walk::Point& point = tree.points[i];
    if (point.set >= 0) {
      auto& known = before[static_cast<std::size_t>(point.set)];
      const auto& now = last[i][static_cast<std::size_t>(point.turn)];
      if (known.first == -2) known = now;
      ASSERT_EQ(known, now);
      ASSERT_EQ(static_cast<std::size_t>(std::popcount(tree.sets[static_cast<std::size_t>(point.set)].legal)),
                point.next.size());
    }
    for (std::size_t a = 0; a < point.next.size(); ++a) {
      auto& next = last[static_cast<std::size_t>(point.next[a])] = last[i];
      if (point.turn >= 0) next[static_cast<std::size_t>(point.turn)] = {point.set, a};
    }
  }
}

TEST_P(SmallTree, AsksForEveryChanceMove) {
  const GamePtr game = make_game(GetParam());
  const Rules& rules = rules_of(game);
  RandomStream rng(1);
  for (int hand = 0; hand < 300; ++hand) {
    State state = State::start(rules);
    ASSERT_EQ(state.current_player(), kChance);
    while (state.current_player() != kTerminal) {
      ASSERT_EQ(state.reward(0), 0.0F);
      ASSERT_EQ(state.hands_finished(), 0);
      ASSERT_FALSE(state.valid());
      if (state.current_player() != kChance) {
        ASSERT_TRUE(state.chance_outcomes().empty());
        state.apply(test::random_action(state.legal_mask(), rng));
        continue;
      }
      ASSERT_EQ(state.legal_mask(), 0U);
      const std::vector<ChanceOutcome> outcomes = state.chance_outcomes();
      double sum = 0;
      std::set<Action> actions;
      for (const ChanceOutcome& outcome : outcomes) {
        ASSERT_GT(outcome.probability, 0);
        sum += outcome.probability;
        actions.insert(outcome.action);
      }
      ASSERT_NEAR(sum, 1, 1e-12);
      ASSERT_EQ(actions.size(), outcomes.size());
      state.apply(outcomes[rng.below(static_cast<std::uint32_t>(outcomes.size()))].action);
    }
    ASSERT_EQ(state.reward(0), -state.reward(1));
  }
}

// What somebody observes in dealt hands, and how often, is what the tree says: the same policy is followed in both.
TEST_P(SmallTree, IsTheOneOnWhichDealtHandsArePlayed) {
  const GamePtr game = make_game(GetParam());
  const Rules& rules = rules_of(game);
  std::vector<float> numbers(static_cast<std::size_t>(game->observation_spec().size()));
  // Both seats at the end: everything that happened to anybody.
  const auto seen = [&](const State& state) {
    std::string bytes;
    for (const Seat seat : {0, 1}) {
      state.observe(seat, numbers.data());
      bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
    }
    return bytes;
  };
  // A policy that discards whatever it may, and calls: draws reach the cards discarded before.
  const auto policy = [](const State& state) {
    return ((state.legal_mask() >> kDiscard) & 1) != 0 ? Action{kDiscard} : Action{kCall};
  };
  std::map<std::string, double> expected;
  const auto follow = [&](const auto& self, const State& state, double probability) -> void {
    if (state.current_player() == kTerminal) {
      expected[seen(state)] += probability;
      return;
    }
    State next = state;
    if (state.current_player() != kChance) {
      next.apply(policy(state));
      return self(self, next, probability);
    }
    for (const ChanceOutcome& outcome : state.chance_outcomes()) {
      next = state;
      next.apply(outcome.action);
      self(self, next, probability * outcome.probability);
    }
  };
  follow(follow, State::start(rules), 1);
  const auto hands = static_cast<double>(test::repetitions(40000));
  std::map<std::string, double> counted;
  for (int hand = 0; hand < hands; ++hand) {
    State state;
    state.reset(rules, static_cast<std::uint64_t>(hand));
    while (state.current_player() != kTerminal) state.apply(policy(state));
    const std::string end = seen(state);
    ASSERT_EQ(expected.count(end), 1U);
    ++counted[end];
  }
  // Pearson's statistic has mean n - 1 and variance 2 (n - 1); six standard deviations.
  double chi_square = 0;
  for (const auto& [end, probability] : expected) {
    const double mean = probability * hands;
    chi_square += (counted[end] - mean) * (counted[end] - mean) / mean;
  }
  const double freedom = static_cast<double>(expected.size()) - 1;
  EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom)) << expected.size();
}

INSTANTIATE_TEST_SUITE_P(Games, SmallTree,
                         testing::Values("kuhn", "kuhn[cards=5,raises=3]", "leduc", "mini_draw_single",
                                         "mini_draw[ranks=3,suits=1,hand=1]", "mini_draw_single[ranks=7,suits=1]",
                                         "mini_draw_single[ranks=8,suits=1]"));

}  // namespace
}  // namespace dealer::small
