#pragma once

#include <string_view>

#include "frontends/phh/hand_history.h"

namespace dealer::phh {

inline constexpr int kMaxDecimals = 4;
// Far beyond what is played for, and far from overflowing when added up.
inline constexpr Amount kMaxAmount = Amount{1} << 50;

// Digits behind the point of a number as TOML writes it (12.50, 1_000, +2, 0x2, 2e2), zeros at its end left out. What
// is off by less than 10^-9, as programs with binary fractions write it (0.30000000000000004), is rounded.
// kMaxDecimals + 1 where there are more, or where it is no number.
int decimals_of(std::string_view number);
// "12.50" in units of 10^-decimals, negative ones too. Throws ParseError: no number, too large, too many decimals.
Amount parse_amount(std::string_view number, int decimals);

}  // namespace dealer::phh
