#pragma once

#include <span>
#include <string_view>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/hand.h"

namespace dealer::studies::seven_hand {

// Chips 3, 4 and 5, which are each part of three rows of three adjacent chips; the ends are 1, 2, 6 and 7.
constexpr bool is_middle(int chip) { return chip >= 2 && chip <= 4; }
inline constexpr int kMiddle = 3, kEnds = 4;
// The number of rows of three adjacent chips.
inline constexpr int kRows = 5;
// The winner's chips less the loser's: from -1, with three adjacent chips against four, to 6.
inline constexpr int kLeastMargin = -1, kMargins = 8;

// Turns of a player: early up to the third, late from the fifth on.
inline constexpr int kEarly = 3, kLate = 5;

// Groups by the number of their cards: few 1 or 2, many 4 or 5.
constexpr bool is_few(int count) { return count <= 2; }
constexpr bool is_many(int count) { return count >= 4; }

// The states of a chip from the namer's view, for pending cards. Not exclusive.
std::span<const Named> chip_states();
bool is_in(std::size_t state, const Laying& laying, int chip);

// Quartiles of strength among the laid groups of as many cards in the study: 0 the weakest.
inline constexpr int kQuarters = 4;

// Groups that are not as strong as their number suggests, and those that are.
std::span<const Named> group_classes();
// Empty if it is in no class.
std::string_view class_of(int count, int quarter);

}  // namespace dealer::studies::seven_hand
