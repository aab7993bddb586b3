#pragma once

#include <vector>

#include "agents/search/play.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// What a seat has decided in the hand in progress, in order, as it saw it then: the cards of its turns one by one, and
// the chips it has named. Of a turn in progress that waits for its chip, too. Precondition: not over.
std::vector<ReplayedDecision> decision_history(const State& state, Seat seat);

}  // namespace dealer::seven_hand
