#pragma once

#include <string>
#include <string_view>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// Escapes text for HTML and SVG, attributes included; control characters other than line breaks are removed.
std::string escape(std::string_view text);

// "−0.25": with a minus sign, but none if all digits are zero.
std::string fixed(double value, int digits);
// The number of decimals, 0 to 4, that shows one significant digit of the interval, or two if that digit is 1.
int digits_of(double ci95);

// The units of figures: shares in percent, and differences of shares, in sentences in percentage points.
enum class Unit { kNumber, kPercent, kPercentagePoints };
// For pictures, at most two decimals, for percents one: "3.21", "52.3%"; "–" if unknown.
std::string value_text(const Estimate& estimate, Unit unit);
// "3.21 ± 0.04", "52.3 ± 0.8%"; without a known interval "50% (no interval)", with an interval cut off at the limit of
// possible values "90 (67 to 100)%".
std::string text_of(const Estimate& estimate, Unit unit);
inline std::string number(const Estimate& estimate) { return text_of(estimate, Unit::kNumber); }
inline std::string percent(const Estimate& estimate) { return text_of(estimate, Unit::kPercent); }
// A difference of shares: "2.1 ± 0.3 percentage points".
std::string percentage_points(const Estimate& estimate);

}  // namespace dealer::studies
