#pragma once

#include <vector>

#include "env/core/told_hand.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// See ToldHand.
std::vector<float> observe_told(const GameRules& rules, const ToldHand& hand);

}  // namespace dealer::ofc
