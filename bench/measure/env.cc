#include <vector>

#include "bench/measure/measure.h"
#include "env/core/random.h"
#include "env/core/random_action.h"
#include "env/core/thread_seconds.h"

namespace dealer {
namespace {

constexpr int kTables = 64;         // observations fit into the second-level cache
constexpr int kSteps = 200;         // between two reads of the clock
constexpr int kWarmUpSteps = 2000;  // until the ends of hands are evenly spread

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
  play(kWarmUpSteps);
  const std::int64_t before = env->hands_finished();
  const double start = thread_seconds();
  do play(kSteps);
  while (thread_seconds() - start < seconds);
  return static_cast<double>(env->hands_finished() - before) / (thread_seconds() - start);
}

}  // namespace dealer
