#include "arena/studies/report/text.h"

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
  const int digits = digits_for(estimate, unit);
  const auto written = [&](double value) { return fixed(value * factor_of(unit), digits); };
  std::string text = written(estimate.value);
  const bool is_cut =
      estimate.low() > estimate.value - estimate.ci95 || estimate.high() < estimate.value + estimate.ci95;
  if (!estimate.known())
    text += " ± ?";
  else if (is_cut)
    text += fmt::format(" ({} to {})", written(estimate.low()), written(estimate.high()));
  else
    text += " ± " + written(estimate.ci95);
  return text + (unit == Unit::kNumber ? "" : "%");
}

}  // namespace dealer::studies
