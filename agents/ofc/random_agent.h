#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::ofc {

// Plays every legal placement with the same probability, a card at a time, and Fantasyland hands exactly. No options.
AgentFactoryPtr make_random_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::ofc
