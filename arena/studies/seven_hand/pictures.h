#pragma once

#include <string>

#include "arena/studies/seven_hand/figures.h"

namespace dealer::studies::seven_hand {

// The pictures of the report that no other study has; SVG for a Page.

// Seven chips in a line: above each the cards that lie there on average, below it when, and what it is worth.
std::string picture_of_line(const Figures& figures);
// Where the cards are sent, by how many they are: a row of bars for each number, against naming at random.
std::string picture_of_sending(const Figures& figures);

}  // namespace dealer::studies::seven_hand
