#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/games/seven_hand/rules.h"

namespace dealer::seven_hand {

// See ObservedHand.
std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand);

}  // namespace dealer::seven_hand
