#pragma once

#include <string>

#include "env/hands/census.h"

namespace dealer::cli {

// A picture of a census, a document of its own: the categories as a ladder of rarity, weak at the bottom, the step each
// of them takes over the next weaker one coloured by its verdict.
std::string census_svg(const Census& census, const std::string& deck, const std::string& ranking);

}  // namespace dealer::cli
