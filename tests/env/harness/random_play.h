#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>

#include "env/core/game.h"
#include "env/core/random.h"
#include "tests/support/tiers.h"

namespace dealer::test {

inline Action random_action(std::uint64_t mask, RandomStream& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); skip > 0; --skip) mask &= mask - 1;
  return std::countr_zero(mask);
}

// One of the actions, or any amount of the range.
inline Decision random_decision(const Env& env, RandomStream& rng) {
  const AmountRange range = env.amount_range();
  if (range.empty() || rng.below(3) != 0) return random_action(env.legal_mask(), rng);
  const auto steps = static_cast<std::uint32_t>((range.high - range.low) / range.step) + 1;
  return Decision::bet_to(range.low + range.step * static_cast<Amount>(rng.below(steps)));
}

// Limit on the steps of episodes without a natural end (a match by elimination, say).
inline constexpr int kMaxSteps = 3000;

// Plays one random episode from the environment's current state. Calls before(env) at every position, the last one
// included, and after(step, seat, action) after every step. Returns true if the end was reached.
template <class Before, class After>
bool play_randomly(Env& env, RandomStream& rng, Before before, After after, int max_steps = kMaxSteps) {
  for (int i = 0; i < max_steps; ++i) {
    before(env);
    const Seat seat = env.current_player();
    if (seat == kTerminal) return true;
    const Action action = random_action(env.legal_mask(), rng);
    after(env.step(action), seat, action);
  }
  return false;
}

inline bool play_randomly(Env& env, RandomStream& rng, int max_steps = kMaxSteps) {
  return play_randomly(
      env, rng, [](const Env&) {}, [](const Step&, Seat, Action) {}, max_steps);
}

// Begins one episode after another in the environment and calls play(seed, rng), until that many hands are over. Stops
// after a failure. Returns the number of episodes begun.
template <class Play>
int for_episodes(Env& env, int hands, std::uint64_t stream, Play play) {
  int episode = 0;
  for (int played = 0; played < hands && !testing::Test::HasFailure(); played += std::max(1, env.hands_finished())) {
    SCOPED_TRACE(env.game().spec() + ", seed " + std::to_string(episode));
    const auto seed = static_cast<std::uint64_t>(episode++);
    env.reset(seed);
    RandomStream rng(seed, stream);
    play(seed, rng);
  }
  return episode;
}

}  // namespace dealer::test
