#pragma once

#include <array>
#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

inline constexpr int kOpeningCards = 5;
// The number of five-card hands of 52 cards up to renaming suits.
inline constexpr int kOpenings = 134'459;
// C(52, 5)
inline constexpr int kOpeningDeals = 2'598'960;

// Cards sorted by rank from high to low; among equal ranks by suit: spades, hearts, diamonds, clubs.
using OpeningCards = std::array<Card, kOpeningCards>;

// A representative of all openings equal up to a renaming of suits.
struct Opening {
  OpeningCards cards{};
  int deals = 0;  // number of openings represented
};

// The renaming of suits that comes first in the order of OpeningCards. Precondition: five cards.
OpeningCards canonical(CardSet cards);
// All openings: by ranks from high to low, read as a number, then by suits in order.
std::vector<Opening> all_openings();
std::string to_string(const OpeningCards& cards);  // "AsKsQhJd2c"
CardSet set_of(const OpeningCards& cards);

// The placement of an opening: the row of each card as the digits of a base-3 number,
// the first card's digit lowest.
int code_of(const OpeningCards& cards, const dealer::ofc::Board& board);
dealer::ofc::Board board_of(const OpeningCards& cards, int code);
// True if a renaming of suits that maps the opening to itself maps one board to the other.
bool is_mirrored(const OpeningCards& cards, const dealer::ofc::Board& a, const dealer::ofc::Board& b);

}  // namespace dealer::studies::fantasyland
