#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/core/typed_game.h"
#include "env/games/small/state.h"

namespace dealer::small {

using Game = TypedGame<State>;

// The game with its own type, for code that needs rules or states; nothing when it is another game.
const Game* as_small(const dealer::Game& game);
const Game* as_small(const dealer::Game& game, Variant variant);

// See ObservedHand.
std::vector<float> observe_hand(const Rules& rules, const ObservedHand& hand);

}  // namespace dealer::small
