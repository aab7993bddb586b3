#pragma once

#include "env/games/poker/rules.h"

namespace dealer::poker {

// Fills in what follows from the rules proper.
void finish_rules(GameRules& rules);
// Throws ConfigError when a hand could be longer than a state or an observation can hold.
void check_bounds(const GameRules& rules, const Config& config);

}  // namespace dealer::poker
