#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// See ObservedHand.
std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand);

}  // namespace dealer::poker
