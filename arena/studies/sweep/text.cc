#include "arena/studies/sweep/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
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
