#pragma once

#include <string_view>

#include "frontends/phh/hand_history.h"

namespace dealer::phh {

inline constexpr int kMaxDecimals = 4;
// Far beyond what is played for, and far from overflowing when added up.
inline constexpr Amount kMaxAmount = Amount{1} << 50;

// Digits behind the point of a number as TOML writes it, zeros at its end left out; more than kMaxDecimals when it has
// an exponent.
int decimals_of(std::string_view number);
// "12.50" in units of 10^-decimals. Throws ParseError: no number, too large, too many decimals.
Amount parse_amount(std::string_view number, int decimals);

}  // namespace dealer::phh
