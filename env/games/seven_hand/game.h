#pragma once

#include "env/core/config.h"
#include "env/core/typed_game.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

using Game = TypedGame<State>;

// 7-Hand Poker from configs/games/seven_hand.yaml or a file like it. Throws ConfigError.
GamePtr make(GameId id, Config& config);

// The typed game, or nullptr when it is another.
const Game* as_seven_hand(const dealer::Game& game);

}  // namespace dealer::seven_hand
