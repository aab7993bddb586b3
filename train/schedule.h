#pragma once

#include <cstdint>
#include <string_view>

#include "env/core/config.h"

namespace dealer {

// The schedule of a coefficient over a training. In a config a section:
//   entropy: {first: 1, last: 0.05, shape: exponential}
// or one number for a constant.
struct Schedule {
  enum class Shape { kConstant, kLinear, kCosine, kExponential, kInverseRoot };

  double first = 0, last = 0;
  Shape shape = Shape::kConstant;

  static Schedule constant(double value) { return {value, value, Shape::kConstant}; }
  // progress: from 0 to 1. Constant: first. Linear, cosine and exponential lead from first to last. Inverse root:
  // first / sqrt(iteration), iterations from 1, but never less than last.
  double at(double progress, std::int64_t iteration) const;
};

// Its keys are first, last and shape (constant, linear, cosine, exponential, inverse_root). Both numbers within
// [low, high], above 0 where the shape is exponential. Throws ConfigError.
Schedule read_schedule(Config& config, std::string_view key, const Schedule& fallback, double low, double high);

}  // namespace dealer
