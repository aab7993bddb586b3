#pragma once

#include <string>

#include "arena/studies/court/figures.h"

namespace dealer::studies::court {

// "56.1%", "0.000316%": three digits that count.
std::string share_text(double share);

// The categories of a ranking in its order, in that of the odds as dealt and in that after the draw, the most common
// above; a line a category leads from one to the next. What is more common than before has another colour.
std::string picture_of_orders(const DeckOdds& deck);

}  // namespace dealer::studies::court
