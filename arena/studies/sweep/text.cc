#include "arena/studies/sweep/text.h"

#include <fmt/format.h>

#include <cmath>

#include "env/core/numbers.h"

namespace dealer::studies {
namespace {

bool is_exact(const Estimate& estimate) { return estimate.count > 0 && estimate.ci95 == 0; }

// "3", "0.25"
std::string exactly(double value, Unit unit) {
  const double shown = unit == Unit::kNumber ? value : 100 * value;
  return fixed(shown, shown == std::round(shown) ? 0 : 2) + (unit == Unit::kNumber ? "" : "%");
}

std::string followed_by(std::string text, std::string_view unit) {
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

}  // namespace

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string text_of(const Estimate& estimate, const Headline& headline) {
  return is_exact(estimate) ? exactly(estimate.value, headline.written) : text_of(estimate, headline.written);
}

std::string with_unit(const Estimate& estimate, const Headline& headline) {
  return followed_by(text_of(estimate, headline), headline.unit);
}

std::string difference(const Estimate& estimate, const Headline& headline) {
  if (headline.written == Unit::kNumber) return with_unit(estimate, headline);
  return is_exact(estimate) ? exactly(100 * estimate.value, Unit::kNumber) + " percentage points"
                            : percentage_points(estimate);
}

}  // namespace dealer::studies
