#pragma once

#include <span>

#include "agents/simple_player.h"

namespace dealer::seven_hand {

// Players of one idea each. All are deterministic; they share out their cards into the strongest groups there are, and
// lay the strongest hand they can in their last turn.
std::span<const SimplePlayer> simple_players();

}  // namespace dealer::seven_hand
