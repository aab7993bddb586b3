#pragma once

#include <cstddef>
#include <span>

namespace dealer {

// Targets of TD(lambda) for the afterstates of one hand, from the first turn to the last. best[t]: the network's value
// of the best placement of turn t; explored[t]: another one was played, so later values are no evidence for earlier
// turns (Watkins' cut). outcome: of the hand. targets: one per turn.
inline void lambda_returns(std::span<const float> best, std::span<const bool> explored, double outcome, double lambda,
                           std::span<double> targets) {
  double target = outcome;
  for (std::size_t turn = best.size(); turn-- > 0;) {
    targets[turn] = target;
    const auto value = static_cast<double>(best[turn]);
    target = explored[turn] ? value : (1 - lambda) * value + lambda * target;
  }
}

}  // namespace dealer
