#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dealer::tabular {

// The sum of amount[i] * reach[others[i]]: where solvers spend their time. Four sums side by side, since one would wait
// for itself; the order of additions depends on nothing but their number.
inline double weighted_sum(std::span<const double> amount, const std::int32_t* others, const double* reach) {
  const std::size_t count = amount.size();
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += amount[i + lane] * reach[others[i + lane]];
  for (; i < count; ++i) sum[0] += amount[i] * reach[others[i]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The same with `width` others an entry, whose probabilities are multiplied.
inline double weighted_sum(std::span<const double> amount, const std::int32_t* others, std::size_t width,
                           const double* reach) {
  double sum = 0;
  for (std::size_t i = 0; i < amount.size(); ++i) {
    double weight = amount[i];
    for (std::size_t other = 0; other < width; ++other) weight *= reach[others[i * width + other]];
    sum += weight;
  }
  return sum;
}

}  // namespace dealer::tabular
