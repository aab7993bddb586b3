#pragma once

#include <cstddef>

namespace dealer {

// Draws in proportion to weights: the index of the weight that contains `point`, which lies from 0 to below their sum.
// Skips weights that are not positive; rounding errors fall to the last of the others. `none` if there is no other.
template <class Weights, class Real>
std::size_t weighted_index(const Weights& weights, Real point, std::size_t none = 0) {
  std::size_t index = none;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    index = i;
    if ((point -= weights[i]) < 0) break;
  }
  return index;
}

}  // namespace dealer
