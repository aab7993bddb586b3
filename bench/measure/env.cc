#include "bench/measure/env.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include <bit>
#include <vector>

#include "bench/measure/thread_seconds.h"
#include "env/core/random.h"

namespace dealer {
namespace {

constexpr int kTables = 64;    // their observations fit into the second-level cache
constexpr int kSteps = 200;    // between two looks at the clock
constexpr int kWarmUp = 2000;  // steps until hands end evenly spread

// Uniform over the set bits as far as 16 random bits go: choosing must not cost more than the game.
Action random_action(std::uint64_t mask, std::uint64_t& random) {
  random = random * 0x5851f42d4c957f2dULL + 0x14057b7ef767814fULL;
  const auto count = static_cast<std::uint64_t>(std::popcount(mask));
  std::uint64_t skip = ((random >> 48) * count) >> 16;
#ifdef __BMI2__
  return std::countr_zero(_pdep_u64(std::uint64_t{1} << skip, mask));
#else
  for (; skip > 0; --skip) mask &= mask - 1;
  return std::countr_zero(mask);
#endif
}

}  // namespace

double measure_env(const GamePtr& game, double seconds) {
  const auto env = game->new_vector_env(kTables, 1);
  const OwnedBatch owned(*game, kTables);
  const Batch& batch = owned.batch();
  std::vector<Action> actions(kTables);
  std::uint64_t random = mix64(1);
  const auto play = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      for (std::size_t t = 0; t < actions.size(); ++t) actions[t] = random_action(batch.legal[t], random);
      env->step(actions, batch);
    }
  };
  env->reset(1, batch);
  play(kWarmUp);
  const std::int64_t before = env->hands_finished();
  const double start = thread_seconds();
  do play(kSteps);
  while (thread_seconds() - start < seconds);
  return static_cast<double>(env->hands_finished() - before) / (thread_seconds() - start);
}

}  // namespace dealer
