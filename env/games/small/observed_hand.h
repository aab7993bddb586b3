#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/games/small/rules.h"

namespace dealer::small {

// See ObservedHand.
std::vector<float> observe_hand(const Rules& rules, const ObservedHand& hand);

}  // namespace dealer::small
