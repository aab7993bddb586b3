#include <bit>
#include <vector>

#include "bench/measure/measure.h"
#include "env/core/thread_seconds.h"
#include "env/games/visit.h"

namespace dealer {
namespace {

constexpr int kSampledPositions = 256;
// The number of hands of which the longest is used: past the flop, after the draw.
constexpr int kLongestOf = 8;

Action random_of(std::uint64_t mask, RandomStream& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); skip > 0; --skip) mask &= mask - 1;
  return std::countr_zero(mask);
}

// The observation of the seat to act at the last decision of the longest of several hands.
template <class S>
std::vector<float> late_observation(const typename S::Rules& rules, RandomStream& rng) {
  std::vector<float> last(static_cast<std::size_t>(S::observation_spec(rules).size())), longest = last;
  int most = -1;
  for (int hand = 0; hand < kLongestOf; ++hand) {
    S state;
    int decisions = 0;
    for (state.reset_and_hold(rules, rng.bits64()); !state.hand_over(); ++decisions) {
      state.observe(state.current_player(), last.data());
      state.apply_and_hold(random_of(state.legal_mask(), rng));
    }
    if (decisions <= most) continue;
    most = decisions;
    longest = last;
  }
  return longest;
}

}  // namespace

SamplingSpeed measure_sampling(const Game& game, double seconds) {
  return visit(game, [&](const auto& typed) {
    using S = typename std::decay_t<decltype(typed)>::State;
    RandomStream rng(1);
    std::vector<std::vector<float>> seen;
    seen.reserve(kSampledPositions);
    for (int i = 0; i < kSampledPositions; ++i) seen.push_back(late_observation<S>(typed.rules(), rng));
    std::vector<typename S::Sampler> samplers;
    samplers.reserve(kSampledPositions);
    const double begin = thread_seconds();
    for (const std::vector<float>& observation : seen) samplers.emplace_back(typed.rules(), observation);
    const double made = thread_seconds();
    std::int64_t draws = 0;
    std::uint64_t used = 0;  // keeps the compiler from removing the work
    do {
      for (typename S::Sampler& sampler : samplers)
        for (int i = 0; i < 16; ++i, ++draws) used += sampler.draw(rng).legal_mask();
    } while (thread_seconds() - made < seconds || used == 0);
    return SamplingSpeed{static_cast<double>(draws) / (thread_seconds() - made),
                         1e6 * (made - begin) / kSampledPositions};
  });
}

}  // namespace dealer
