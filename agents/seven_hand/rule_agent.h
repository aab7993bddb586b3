#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::seven_hand {

// The hand-written player of 7-Hand Poker. It gives every chip a chance of being taken: of a hand that lies there the
// share of hands it beats, of as many cards as lie opposite; of a turn to come what the cards in hand make when they
// are shared out to the turns that are left. What the line is worth follows from these (LineValues), threats of three
// adjacent chips included.
//   Laying: each group of cards that belong together, bare or with spare cards beside it so that it looks like more.
//   The opponent is expected to name the chip where a hand of so many cards does least harm to it; a part of the weight
//   goes to all other chips. Naming: the chip that leaves the line worth most.
// Deterministic.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::seven_hand
