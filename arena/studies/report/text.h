#pragma once

#include <string>
#include <string_view>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// Text as it stands in HTML and SVG, attributes included; control characters but for line breaks are left out.
std::string escape(std::string_view text);

// "−0.25": with a minus sign, and without one where nothing but zeros is left.
std::string fixed(double value, int digits);
// As many digits behind the point, 0 to 4, as show one of the interval that is not zero, or two where that is a one.
int digits_of(double ci95);

// How figures are written: shares as percents, and differences of shares, which sentences tell in percentage points.
enum class Unit { kNumber, kPercent, kPercentagePoints };
// For pictures, two digits behind the point at most, of percents one: "3.21", "52.3%"; "–" where nothing is known.
std::string value_text(const Estimate& estimate, Unit unit);
// "3.21 ± 0.04", "52.3 ± 0.8%"; one without a known interval is "50% (no interval)", one whose interval ends where the
// figure can be no more or less "90 (67 to 100)%".
std::string text_of(const Estimate& estimate, Unit unit);
// A difference of shares: "2.1 ± 0.3 percentage points".
std::string percentage_points(const Estimate& estimate);

}  // namespace dealer::studies
