#pragma once

#include <string>

#include "env/core/random.h"

namespace dealer::poker {

// A random rule file of the betting games: players, stacks of 1 to 1,000 chips, limits, caps, antes, blinds, decks,
// jokers, procedures. Not all of them are allowed.
std::string random_rules_text(RandomStream& rng);

}  // namespace dealer::poker
