#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::small {

// The heuristic agent of Kuhn poker, Leduc hold'em and small draw poker: takes the action that earns most when
// everybody, itself included, acts at random from then on; what the others did so far tells it nothing. Where the tree
// of the rules has at most half a million nodes the values are exact and worked out once, for all agents of the
// factory. Elsewhere, or with the option samples=N, each action is played out N times (200) from states that agree with
// what the agent sees; random choices come from the seed of reset() only.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::small
