#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "env/core/random.h"

namespace dealer {

// Samples one of the choices from the softmax of their values at that temperature. best: index of the highest value.
inline std::size_t draw_from_softmax(std::span<const float> values, std::size_t best, float temperature,
                                     RandomStream& rng) {
  std::vector<float> weight(values.size());
  float sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight[i] = std::exp((values[i] - values[best]) / temperature);
  float left = rng.uniform() * sum;
  std::size_t chosen = 0;
  for (; chosen + 1 < values.size() && left >= weight[chosen]; ++chosen) left -= weight[chosen];
  return chosen;
}

}  // namespace dealer
