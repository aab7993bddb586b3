#pragma once

#include <vector>

#include "env/core/told_hand.h"
#include "env/games/small/rules.h"

namespace dealer::small {

// See ToldHand.
std::vector<float> observe_told(const Rules& rules, const ToldHand& hand);

}  // namespace dealer::small
