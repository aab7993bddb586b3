#pragma once

#include "env/core/typed_game.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

using Game = TypedGame<State>;

// The typed game, or nullptr when it is another.
const Game* as_seven_hand(const dealer::Game& game);

}  // namespace dealer::seven_hand
