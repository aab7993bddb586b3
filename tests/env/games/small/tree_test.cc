// The states that solvers walk: their chance moves, and that dealt hands are played on the same tree.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"

namespace dealer::small::tree_test {
namespace {

const Rules& rules_of(const GamePtr& game) { return as_small(*game)->rules(); }

class SmallTree : public testing::TestWithParam<const char*> {};

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
  const int hands = test::repetitions(40000);
  std::map<std::string, int> counted;
  for (int hand = 0; hand < hands; ++hand) {
    State state;
    state.reset(rules, static_cast<std::uint64_t>(hand));
    while (state.current_player() != kTerminal) state.apply(policy(state));
    ++counted[seen(state)];
  }
  EXPECT_LT(test::deviations(expected, counted, hands), 6) << expected.size();
}

INSTANTIATE_TEST_SUITE_P(Games, SmallTree,
                         testing::Values("kuhn", "kuhn[cards=5,raises=3]", "leduc", "mini_draw_single",
                                         "mini_draw[ranks=3,suits=1,hand=1]", "mini_draw_single[ranks=7,suits=1]",
                                         "mini_draw_single[ranks=8,suits=1]"));

}  // namespace
}  // namespace dealer::small::tree_test
