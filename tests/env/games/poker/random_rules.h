#pragma once

#include <optional>
#include <string>

#include "env/core/random.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// A random rule file of the betting games: players, stacks of 1 to 1,000 chips, limits, caps, antes, blinds, decks,
// jokers, procedures. Not all of them are allowed.
std::string random_rules_text(RandomStream& rng);
// Nothing where they are refused, which is to take a message of one line.
std::optional<GameRules> allowed_rules(const std::string& text);

}  // namespace dealer::poker
