#pragma once

#include <vector>

#include "agents/search/play.h"

namespace dealer {

// Draws states that agree with an observation by how likely the others would have played as they did: of so many
// uniform ones, each given its weight by the play, one is taken with a chance in proportion to its weight (sampling and
// importance resampling: Rubin, "Using the SIR algorithm to simulate posterior distributions", 1988). The more
// proposals, the nearer to the distribution that the weights stand for; one proposal ignores them.
template <GameState S, WeighsStates<S> Play>
class WeightedSampler {
 public:
  // `play` must outlive it.
  WeightedSampler(const typename S::Sampler& uniform, const Play& play, Seat observer, int proposals)
      : uniform_(uniform), play_(&play), observer_(observer), proposals_(proposals) {}

  S draw(RandomStream& rng) {
    S chosen;
    double sum = 0;
    for (int i = 0; i < proposals_; ++i) {
      S state = uniform_.draw(rng);
      const double weight = play_->weigh(state, observer_, rng);
      sum += weight;
      // Each replaces the one so far with the chance that leaves all in proportion to their weights.
      if (i == 0 || static_cast<double>(rng.uniform()) * sum < weight) chosen = state;
    }
    return chosen;
  }

 private:
  typename S::Sampler uniform_;
  const Play* play_;
  Seat observer_;
  int proposals_;
};

}  // namespace dealer
