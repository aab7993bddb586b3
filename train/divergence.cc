#include "train/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace dealer {

void expect_finite(std::string_view figure, double value, std::int64_t update) {
  if (!std::isfinite(value)) throw DivergenceError(fmt::format("{} is {} in update {}", figure, value, update));
}

}  // namespace dealer
