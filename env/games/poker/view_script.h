#pragma once

#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/script.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The hand that a view tells, but for the cards that its observer has not seen.
Script script_of(const GameRules& rules, const View& view);
// Those cards, in draw games: when each came, and in which draw it was discarded.
void add_hidden(const HiddenCards& hidden, Script& script);

}  // namespace dealer::poker
