#include <fmt/format.h>

#include <vector>

#include "agents/encoder.h"
#include "bench/measure/measure.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/thread_seconds.h"

namespace dealer {
namespace {

constexpr std::size_t kPositions = 4096;

// Avoids the first action if there is another: in betting it is a fold.
Action random_later_action(const std::vector<Action>& legal, RandomStream& rng) {
  if (legal.size() == 1) return legal.front();
  return legal[1 + rng.below(static_cast<std::uint32_t>(legal.size() - 1))];
}

}  // namespace

FeaturesSpeed measure_features(const GamePtr& game, double seconds) {
  const EncoderPtr encoder = make_encoder(game);
  if (!encoder) throw UsageError(fmt::format("there are no facts of '{}'", game->spec()));
  const auto env = game->new_env();
  RandomStream rng(1);
  std::vector<std::vector<float>> seen;
  for (std::uint64_t episode = 0; seen.size() < kPositions; ++episode) {
    for (env->reset(episode); !env->terminated() && seen.size() < kPositions;) {
      const Observation observation = env->observe(env->current_player());
      seen.push_back(observation.data);
      env->step(random_later_action(observation.legal_actions(), rng));
    }
  }
  std::vector<float> input_features(encoder->names().size());
  double used = 0;  // keeps the compiler from removing the work
  const double begin = thread_seconds();
  encoder->encode(seen.front().data(), input_features.data());
  const double made = thread_seconds();
  std::int64_t count = 0;
  do {
    for (const std::vector<float>& observation : seen) {
      encoder->encode(observation.data(), input_features.data());
      used += static_cast<double>(input_features.back());
    }
    count += static_cast<std::int64_t>(seen.size());
  } while (thread_seconds() - made < seconds || used < 0);
  return {static_cast<double>(count) / (thread_seconds() - made), made - begin,
          static_cast<double>(input_features.size())};
}

}  // namespace dealer
