// The heuristic agent: exact where it can be, by playouts elsewhere.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "agents/agent.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

namespace dealer::small::rule_agent_test {
namespace {

using tabular::GameTree;
using tabular::Policy;

// What an agent wins of one that plays at random, on average over both seats, exactly.
double gain_over_random(const GameTree& tree, const Policy& agent) {
  double sum = 0;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    Policy mixed = tabular::uniform_policy(tree);
    std::copy(agent.probability.begin() + tree.first_sequence(seat),
              agent.probability.begin() + tree.first_sequence(seat + 1),
              mixed.probability.begin() + tree.first_sequence(seat));
    sum += tabular::expected_returns(tree, mixed)[static_cast<std::size_t>(seat)];
  }
  return sum / kSeats;
}

double gain_of_rule(const std::string& spec) {
  const GamePtr game = make_game(spec);
  const GameTree tree(*game);
  return gain_over_random(tree, tabular::policy_of(tree, *make_agents("rule", game)->make()));
}

// With 200 playouts an action it won 2.088 +- 0.045, 0.461 +- 0.010 and 2.108 +- 0.028 (20,000 duplicated deals).
TEST(SmallRule, BeatsRandomAtLeastAsClearlyAsItsPlayoutsDid) {
  EXPECT_NEAR(gain_of_rule("leduc"), 2.2, 1e-9);
  EXPECT_NEAR(gain_of_rule("kuhn"), 11.0 / 24, 1e-9);
  EXPECT_NEAR(gain_of_rule("mini_draw"), 2.18641975, 1e-6);
}

// What the exact values mean: the average over states that agree with what is seen, everybody acting at random.
TEST(SmallRule, ValuesAreThoseOfManyPlayouts) {
  for (const char* spec : {"kuhn", "leduc", "mini_draw_single"}) {
    const GamePtr game = make_game(spec);
    const GameTree tree(*game);
    const std::vector<double> values = tabular::action_values(tree, tabular::uniform_policy(tree));
    RandomStream rng(1);
    const int playouts = test::repetitions(2000);
    double statistic = 0;
    int tested = 0;
    for (std::size_t s = 0; s < tree.sets().size(); s += tree.sets().size() / 100 + 1) {
      const GameTree::InformationSet& set = tree.sets()[s];
      State::Sampler sampler(as_small(*game)->rules(), tree.observation(static_cast<int>(s)).data);
      for (std::int32_t a = 0; a < set.actions; ++a) {
        LegalMask legal = set.legal;
        for (int skip = a; skip > 0; --skip) legal &= legal - 1;
        double sum = 0, squares = 0;
        for (int n = 0; n < playouts; ++n) {
          State state = sampler.draw(rng);
          state.apply(std::countr_zero(legal));
          while (state.current_player() != kTerminal) state.apply(test::random_action(state.legal_mask(), rng));
          const double gain = state.return_of(set.seat);
          sum += gain;
          squares += gain * gain;
        }
        const double mean = sum / playouts, variance = squares / playouts - mean * mean;
        const double error = mean - values[static_cast<std::size_t>(set.first + a)];
        if (variance < 1e-9) {
          ASSERT_NEAR(error, 0, 1e-9) << spec << ' ' << tree.information_text(static_cast<int>(s));
          continue;
        }
        const double z = error / std::sqrt(variance / playouts);
        ASSERT_LT(std::abs(z), 6) << spec << ' ' << tree.information_text(static_cast<int>(s));
        statistic += z * z;
        ++tested;
      }
    }
    EXPECT_GT(tested, 5);
    EXPECT_LT(statistic, tested + 6 * std::sqrt(2.0 * tested)) << spec;
  }
}

// Where one action is clearly better, playouts find the same one.
TEST(SmallRule, PlayoutsFindTheSameActions) {
  const GamePtr game = make_game("leduc");
  const GameTree tree(*game);
  const std::vector<double> values = tabular::action_values(tree, tabular::uniform_policy(tree));
  const auto exact = make_agents("rule", game)->make(), sampling = make_agents("rule[samples=1000]", game)->make();
  sampling->reset(0, 1);
  int clear = 0;
  for (std::size_t s = 0; s < tree.sets().size(); s += 7) {
    const GameTree::InformationSet& set = tree.sets()[s];
    std::vector<double> sorted(values.begin() + set.first, values.begin() + set.first + set.actions);
    std::sort(sorted.rbegin(), sorted.rend());
    const Observation seen = tree.observation(static_cast<int>(s));
    if (sorted[0] - sorted[1] < 2) continue;
    ++clear;
    EXPECT_EQ(sampling->act(seen), exact->act(seen)) << tree.information_text(static_cast<int>(s));
  }
  EXPECT_GT(clear, 20);
}

TEST(SmallRule, PlaysWhatItsPolicySays) {
  const GamePtr game = make_game("mini_draw");
  const GameTree tree(*game);
  const auto agent = make_agents("rule", game)->make();
  std::array<int, kMoves> played{};
  for (std::size_t s = 0; s < tree.sets().size(); s += 11) {
    const Observation seen = tree.observation(static_cast<int>(s));
    const std::vector<double> policy = agent->policy(seen).value();
    const std::vector<Action> legal = seen.legal_actions();
    const Action action = agent->act(seen).action;
    ++played[static_cast<std::size_t>(action)];
    for (std::size_t a = 0; a < legal.size(); ++a) ASSERT_EQ(policy[a], legal[a] == action ? 1 : 0);
  }
  for (const int count : played) EXPECT_GT(count, 0);
}

TEST(SmallRule, RefusesWhatIsNoDecision) {
  const GamePtr game = make_game("leduc");
  const auto agent = make_agents("rule", game)->make();
  const auto env = game->new_env();
  env->reset(1);
  EXPECT_EQ(test::error_message<UsageError>([&] { agent->act(env->observe(1)); }),
            "no observation of a decision in 'leduc'");
}

// A deck too large for its tree: playouts, from the seed alone.
TEST(SmallRule, PlaysOutWhatItCannotWalk) {
  const GamePtr game = make_game("mini_draw[ranks=13,suits=4,hand=3]");
  const auto factory = make_agents("rule[samples=20]", game), by_default = make_agents("rule", game);
  const auto one = factory->make(), two = factory->make();
  EXPECT_FALSE(by_default->make()->policy(game->new_env()->observe(0)).has_value());
  const auto env = game->new_env();
  double gain = 0;
  for (std::uint64_t hand = 0; hand < 100; ++hand) {
    env->reset(hand);
    one->reset(0, hand);
    two->reset(0, hand);
    RandomStream rng(hand);
    while (env->current_player() != kTerminal) {
      if (env->current_player() == 1) {
        env->step(test::random_action(env->legal_mask(), rng));
        continue;
      }
      const Observation seen = env->observe(0);
      const Decision decision = one->act(seen);
      ASSERT_EQ(two->act(seen), decision);
      env->step(decision);
    }
    gain += env->returns()[0];
  }
  // About 1.9 +- 0.35.
  EXPECT_GT(gain, 30);
}

TEST(SmallRule, RefusesOtherOptions) {
  const GamePtr game = make_game("kuhn");
  EXPECT_NE(test::error_message<ConfigError>([&] { make_agents("rule[samples=-1]", game); }).find("0 to 1000000"),
            std::string::npos);
  EXPECT_NE(test::error_message<ConfigError>([&] { make_agents("rule[sample=1]", game); }).find("samples"),
            std::string::npos);
}

}  // namespace
}  // namespace dealer::small::rule_agent_test
