#pragma once

#include <vector>

#include "env/core/observed_hand.h"
#include "env/core/typed_game.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

using Game = TypedGame<State>;

// The typed game, or nullptr when it is another.
const Game* as_seven_hand(const dealer::Game& game);

// See ObservedHand.
std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand);

}  // namespace dealer::seven_hand
