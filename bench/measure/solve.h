#pragma once

#include "env/core/game.h"

namespace dealer {

// Iterations of CFR+ per second of this thread's processor time, over about so many seconds. Making the tree is not
// counted.
double measure_solving(const GamePtr& game, double seconds);

}  // namespace dealer
