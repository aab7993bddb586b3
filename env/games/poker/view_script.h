#pragma once

#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/script.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The hand of a view, without the cards that its observer has not seen.
Script script_of(const GameRules& rules, const View& view);
// The unseen cards, in draw games: the time each came, and the draw in which it was discarded.
void add_hidden(const HiddenCards& hidden, Script& script);

}  // namespace dealer::poker
