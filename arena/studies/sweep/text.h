#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "arena/studies/study.h"

namespace dealer::studies {

// A value that is a finite number; nothing where it is none.
std::optional<double> finite_number(std::string_view text);

// How figures of a sweep are written: as text_of() does, what is exact without an interval.
std::string text_of(const Estimate& estimate, const Headline& headline);
// "10.4 ± 0.2 points"
std::string with_unit(const Estimate& estimate, const Headline& headline);
// Of two shares in percentage points.
std::string difference(const Estimate& estimate, const Headline& headline);

}  // namespace dealer::studies
