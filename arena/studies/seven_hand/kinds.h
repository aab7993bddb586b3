#pragma once

#include <span>
#include <string_view>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/hand.h"

namespace dealer::studies::seven_hand {

// Chips 3, 4 and 5, of which each is one of three rows of three adjacent chips; the ends are 1, 2, 6 and 7.
constexpr bool is_middle(int chip) { return chip >= 2 && chip <= 4; }
inline constexpr int kMiddle = 3, kEnds = 4;
// Rows of three adjacent chips.
inline constexpr int kRows = 5;
// The winner's chips less the loser's: from -1, with three adjacent chips against four, to 6.
inline constexpr int kLeastMargin = -1, kMargins = 8;

// Turns of a player: early up to the third, late from the fifth on.
inline constexpr int kEarly = 3, kLate = 5;

// Groups by how many cards they have: few 1 or 2, many 4 or 5.
constexpr bool is_few(int count) { return count <= 2; }
constexpr bool is_many(int count) { return count >= 4; }

// What a chip may be like for who names it, for cards that wait. Not exclusive.
std::span<const Named> chip_states();
bool is_in(std::size_t state, const Laying& laying, int chip);

// Quarters of strength among the groups of as many cards that are laid in the study: 0 the weakest.
inline constexpr int kQuarters = 4;

// Groups that are not what their number suggests, and those that are.
std::span<const Named> group_classes();
// Empty: none of them.
std::string_view class_of(int count, int quarter);

}  // namespace dealer::studies::seven_hand
