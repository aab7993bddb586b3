#pragma once

#include <array>
#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

inline constexpr int kOpeningCards = 5;
// Five cards of 52 up to the names of suits.
inline constexpr int kOpenings = 134'459;
// C(52, 5)
inline constexpr int kOpeningDeals = 2'598'960;

// Cards by rank from high to low; among equal ranks by suit, spades, hearts, diamonds, clubs.
using OpeningCards = std::array<Card, kOpeningCards>;

// Cards that stand for all that differ from them by the names of suits alone.
struct Opening {
  OpeningCards cards{};
  int deals = 0;  // how many they stand for
};

// The cards whose suits, read in the order of OpeningCards, come first among all renamings. Precondition: five cards.
OpeningCards canonical(CardSet cards);
// All there are: by ranks from high to low, read as a number, then by suits as they come.
std::vector<Opening> all_openings();
std::string to_string(const OpeningCards& cards);  // "AsKsQhJd2c"
CardSet set_of(const OpeningCards& cards);

// Where the cards of an opening go: the row of each, as a number of three digits to the base of 3 would be written, the
// first card's lowest.
int code_of(const OpeningCards& cards, const dealer::ofc::Board& board);
dealer::ofc::Board board_of(const OpeningCards& cards, int code);
// Whether a renaming of suits that leaves the opening as it is makes one of the other.
bool is_mirrored(const OpeningCards& cards, const dealer::ofc::Board& a, const dealer::ofc::Board& b);

}  // namespace dealer::studies::fantasyland
