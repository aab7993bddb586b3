#include "train/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace dealer {

void expect_finite(std::string_view figure, double value, std::int64_t update) {
  if (!std::isfinite(value))
    throw DivergenceError(fmt::format("{} is {} in update {}", figure, not_finite_text(value), update));
}

std::string not_finite_text(double value) { return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf"; }

}  // namespace dealer
