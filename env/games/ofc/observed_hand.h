#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// See ObservedHand.
std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand);

}  // namespace dealer::ofc
