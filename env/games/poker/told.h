#pragma once

#include <vector>

#include "env/core/told_hand.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// See ToldHand.
std::vector<float> observe_told(const GameRules& rules, const ToldHand& hand);

}  // namespace dealer::poker
