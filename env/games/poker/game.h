#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/core/typed_game.h"
#include "env/games/poker/state.h"

namespace dealer::poker {

using Game = TypedGame<State>;

// The game with its own type, for code that needs rules or states; nothing when it is another game.
const Game* as_poker(const dealer::Game& game);

// See ObservedHand.
std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand);

}  // namespace dealer::poker
