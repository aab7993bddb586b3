#pragma once

#include <string_view>

#include "frontends/phh/hand_history.h"

namespace dealer::phh {

inline constexpr int kMaxDecimals = 4;

// Number of decimals of a TOML number (12.50, 1_000, +2, 0x2, 2e2), without trailing zeros. Errors below 10^-9, as
// programs with binary fractions write them (0.30000000000000004), are rounded away. kMaxDecimals + 1 if there are
// more, or if the text is not a number.
int decimals_of(std::string_view number);
// "12.50" in units of 10^-decimals, negative ones too. Throws ParseError: no number, too large, too many decimals.
Amount parse_amount(std::string_view number, int decimals);

}  // namespace dealer::phh
