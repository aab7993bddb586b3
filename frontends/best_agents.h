#pragma once

#include "agents/agent.h"

namespace dealer {

// The best available agent for the game: trained if one is shipped, else heuristic, else random.
AgentFactoryPtr best_agents(const GamePtr& game);

}  // namespace dealer
