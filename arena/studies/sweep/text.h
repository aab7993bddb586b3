#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "arena/studies/study.h"

namespace dealer::studies {

// Parses a finite number; nullopt if it is not one.
std::optional<double> finite_number(std::string_view text);

// The format of figures of a sweep: as text_of(), exact numbers without an interval.
std::string text_of(const Estimate& estimate, const Headline& headline);
// "10.4 ± 0.2 points"
std::string with_unit(const Estimate& estimate, const Headline& headline);
// For two shares in percentage points.
std::string difference(const Estimate& estimate, const Headline& headline);

}  // namespace dealer::studies
