#pragma once

#include <vector>

#include "env/core/told_hand.h"
#include "env/games/seven_hand/rules.h"

namespace dealer::seven_hand {

// See ToldHand.
std::vector<float> observe_told(const GameRules& rules, const ToldHand& hand);

}  // namespace dealer::seven_hand
