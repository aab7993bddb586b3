#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::seven_hand {

// The hand-written player of 7-Hand Poker. ChipOdds gives every chip a chance of being taken, LineValues says what the
// line is then worth, threats of three adjacent chips included.
//   Laying: each group of cards that belong together, bare or with spare cards beside it so that it looks like more.
//   Naming: the chip that leaves the line worth most.
// Deterministic.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::seven_hand
