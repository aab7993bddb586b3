#pragma once

#include <string_view>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// A round of betting can be longer where there are more chips at the table, as in tournaments: the history in the
// observation then has more turns, and everything else is the same, scaled alike. A network that was trained with fewer
// plays there, blind to the turns that it has never seen.
//
// The places in the game's observation of the `inputs` numbers that a network of the rules `trained` knows, in order.
// Empty when the game differs in more than chips from those rules, or not by whole turns.
std::vector<int> places_of_inputs(const Game& game, std::string_view trained, int inputs);

}  // namespace dealer
