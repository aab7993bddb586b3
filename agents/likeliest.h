#pragma once

#include "agents/agent.h"

namespace dealer {

// What to tell people who ask what an agent would do: the likeliest action of its policy, of equal ones the lowest, and
// not one that happens to be drawn. Of an agent that tells no policy, its decision.
Decision likeliest_decision(Agent& agent, const Observation& observation);

}  // namespace dealer
