#include "arena/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dealer::studies {
namespace {

constexpr int kUsualDigits = 2;

double factor_of(Unit unit) { return unit == Unit::kNumber ? 1 : 100; }

int digits_for(const Estimate& estimate, Unit unit) {
  if (!estimate.known()) return unit == Unit::kNumber ? kUsualDigits : 0;
  return digits_of(estimate.ci95 * factor_of(unit));
}

}  // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n') escaped += c;
    }
  }
  return escaped;
}

std::string fixed(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !is_zero ? "−" + text : text;
}

int digits_of(double ci95) {
  constexpr int kMost = 4;
  if (ci95 <= 0) return kUsualDigits;
  const double place = std::floor(std::log10(ci95));
  const bool leads_with_one = ci95 / std::pow(10, place) < 2;
  return std::clamp((leads_with_one ? 1 : 0) - static_cast<int>(place), 0, kMost);
}

std::string value_text(const Estimate& estimate, Unit unit) {
  if (estimate.count == 0) return "–";
  const int digits = std::min(digits_for(estimate, unit), unit == Unit::kNumber ? 2 : 1);
  return fixed(estimate.value * factor_of(unit), digits) + (unit == Unit::kNumber ? "" : "%");
}

std::string percentage_points(const Estimate& estimate) {
  const Estimate scaled{estimate.value * 100, estimate.ci95 * 100, estimate.count};
  return text_of(scaled, Unit::kNumber) + " percentage points";
}

std::string text_of(const Estimate& estimate, Unit unit) {
  if (estimate.count == 0) return "–";
  const std::string sign = unit == Unit::kNumber ? "" : "%";
  const double factor = factor_of(unit);
  const int all_digits = digits_for(estimate, unit);
  if (!estimate.known()) return fixed(estimate.value * factor, all_digits) + sign + " (no interval)";
  if (estimate.low() == estimate.value - estimate.ci95 && estimate.high() == estimate.value + estimate.ci95)
    return fmt::format("{} ± {}{}", fixed(estimate.value * factor, all_digits),
                       fixed(estimate.ci95 * factor, all_digits), sign);
  // For shares of 0 or 1 a tenth of a percent is precise enough; the interval is then rounded outwards.
  const int digits = unit == Unit::kNumber ? all_digits : std::min(all_digits, 1);
  const double one = std::pow(10, digits);
  const auto written = [&](double value, double (*outwards)(double)) {
    const bool is_end = value == estimate.least || value == estimate.most;
    return fixed(digits < all_digits ? outwards(value * factor * one) / one : value * factor,
                 is_end && digits < all_digits ? 0 : digits);
  };
  return fmt::format("{} ({} to {}){}", written(estimate.value, std::round), written(estimate.low(), std::floor),
                     written(estimate.high(), std::ceil), sign);
}

}  // namespace dealer::studies
