#pragma once

#include "agents/ofc/fantasyland.h"
#include "agents/ofc/macro_action.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// What staying in Fantasyland is worth to players who have learned no value of it: points against all opponents
// together, 0 where the episode ends with the hand.
double usual_stay_value(const GameRules& rules, int opponents);

// The opponents of the observer who are still in the game.
int opponents(const View& view);

// The best setting of the observer's Fantasyland hand: exact, also when some of its cards are placed already (by
// somebody else) and even when they make a foul unavoidable. Throws UsageError when it is no Fantasyland hand.
MacroAction plan_fantasyland(const View& view, const FantasylandGoal& goal);

}  // namespace dealer::ofc
