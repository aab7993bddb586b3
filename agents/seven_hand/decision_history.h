#pragma once

#include <vector>

#include "agents/search/play.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// The decisions of a seat in the hand in progress, in order, each with what it saw: the cards of its turns one by one,
// and the chips it has named. Includes a turn in progress that waits for its chip. Precondition: not over.
std::vector<ReplayedDecision> decision_history(const State& state, Seat seat);

}  // namespace dealer::seven_hand
