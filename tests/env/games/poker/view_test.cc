// Views, logs and hidden cards, on random rules.
#include "env/games/poker/view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/games/poker/random_rules.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::view_test {
namespace {

std::optional<GameRules> random_rules(RandomStream& rng) {
  try {
    return rules_of(random_rules_text(rng));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::vector<float> observation(const State& state, Seat seat) {
  std::vector<float> data(static_cast<std::size_t>(State::observation_spec(state.rules()).size()));
  state.observe(seat, data.data());
  return data;
}

// Calls check(state, rng) at many positions of random hands under random rules.
template <class Check>
void at_random_positions(int rule_sets, Check check) {
  RandomStream rng(99);
  for (int i = 0; i < rule_sets;) {
    const std::optional<GameRules> rules = random_rules(rng);
    if (!rules) continue;
    ++i;
    State state;
    state.reset(*rules, rng.bits64());
    for (int step = 0; step < 60; ++step) {
      check(state, rng);
      if (testing::Test::HasFailure()) return;
      if (state.hand_over()) break;
      // A bet of any amount now and then.
      const betting::Bets::Range range = state.bets().range();
      if (!state.drawing() && range.low > 0 && rng.below(4) == 0)
        state.bet_to(range.low + static_cast<Chips>(rng.below(static_cast<std::uint32_t>(range.high - range.low) + 1)));
      else
        state.apply(test::random_action(state.legal_mask(), rng));
    }
  }
}

State sample(const GameRules& rules, const std::vector<float>& seen, RandomStream& rng) {
  return State::Sampler(rules, seen).draw(rng);
}

TEST(View, IsReadBackFromAnObservation) {
  at_random_positions(test::repetitions(400), [](const State& state, RandomStream& rng) {
    const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(state.rules().players)));
    ASSERT_EQ(State::decode(state.rules(), observation(state, seat)), state.view(seat));
  });
}

TEST(View, SampledStatesCanOccur) {
  at_random_positions(test::repetitions(400), [](const State& state, RandomStream& rng) {
    ASSERT_TRUE(state.valid());
    const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(state.rules().players)));
    const State sampled = sample(state.rules(), observation(state, seat), rng);
    ASSERT_TRUE(sampled.valid());
    ASSERT_EQ(observation(sampled, seat), observation(state, seat));
    ASSERT_EQ(sampled.legal_mask(), state.legal_mask());
  });
}

// Six players and three draws use up the stock more than once: cards come back to who discarded them, through others'
// hands.
TEST(View, StatesAreSampledThroughReshuffles) {
  for (const char* more : {"", "washizu: replace_suit\n", "washizu: replace_random\njokers: 2\n"}) {
    const GameRules rules = rules_of(std::string("procedure: draw\nplayers: 6\ndraws: 3\n") + more);
    RandomStream rng(3);
    int samples = 0;
    for (int hand = 0; hand < test::repetitions(300); ++hand) {
      State state;
      state.reset(rules, rng.bits64());
      while (state.current_player() != kTerminal) {
        state.apply(test::random_action(state.legal_mask() & ~std::uint64_t{1}, rng));
        if (rng.below(6) != 0) continue;
        const auto seat = static_cast<Seat>(rng.below(6));
        const State sampled = sample(rules, observation(state, seat), rng);
        ASSERT_TRUE(sampled.valid()) << state.to_string(seat);
        ++samples;
      }
    }
    EXPECT_GT(samples, test::repetitions(1000));
  }
}

// An observation that was refused once, whatever the seed: a card just discarded came back through another's hand.
TEST(View, AReshuffleThatWasRefusedOnceIsSampled) {
  const GamePtr game = make_game("draw[players=6,draws=3]");
  const auto env = game->new_env();
  env->reset(229);
  std::vector<Action> actions(6, 1);
  const auto then = [&](std::initializer_list<Action> more) { actions.insert(actions.end(), more); };
  then({6, 34, 34, 34, 34, 11, 1, 1, 1, 1, 1, 1, 9, 20, 34, 34, 34, 34, 1, 1, 1, 1, 1, 1});
  then({34, 34, 34, 34, 34, 34, 1, 1, 1});
  for (const Action action : actions) env->step(action);
  const auto sampled = game->new_env();
  for (Seat seat = 0; seat < 6; ++seat)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      sampled->sample_state(env->observe(seat), seed);
      ASSERT_EQ(sampled->observe(seat).data, env->observe(seat).data);
    }
}

// What the others hold changes nothing in what a seat sees.
TEST(View, DoesNotDependOnHiddenCards) {
  int different = 0;
  at_random_positions(test::repetitions(300), [&](const State& state, RandomStream& rng) {
    const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(state.rules().players)));
    const State a = sample(state.rules(), observation(state, seat), rng);
    const State b = sample(state.rules(), observation(state, seat), rng);
    ASSERT_EQ(a.to_string(seat), b.to_string(seat));
    for (Seat other = 0; other < state.rules().players; ++other)
      different += std::equal(a.cards(other).begin(), a.cards(other).end(), b.cards(other).begin()) ? 0 : 1;
  });
  EXPECT_GT(different, test::repetitions(300));
}

}  // namespace
}  // namespace dealer::poker::view_test
