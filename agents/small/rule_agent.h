#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::small {

// The hand-written player of Kuhn poker, Leduc hold'em and small draw poker: takes the action that earns most against
// a player who acts at random, by playing out each of them `samples` times from states that agree with what it sees.
// Random choices come from the seed of reset() only.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::small
