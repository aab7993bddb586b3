#pragma once

#include <span>

#include "agents/simple_player.h"

namespace dealer::poker {

// Players of one idea each for all betting games. They judge a hand by its chance against one opponent, sampled as
// pot_share() does, and discard as `rule` does unless it is their idea not to. Random choices come from the seed of
// reset() only.
std::span<const SimplePlayer> simple_players();

}  // namespace dealer::poker
