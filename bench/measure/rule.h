#pragma once

#include "env/core/game.h"

namespace dealer {

// Hands per second of this thread's processor time that the heuristic agent plays against itself, over about so
// many seconds: one table, without the match around it. Making the players is not counted.
double measure_rule(const GamePtr& game, double seconds);

}  // namespace dealer
