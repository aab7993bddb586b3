#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::resolve {

// The option `resolve` of agents of hold'em for two, and what it takes from the spec: none, river, turn or flop. From
// that street on every round of betting is solved anew in play, from the hands that both players have come there with
// if they play as the agent does (Ganzfried and Sandholm, "Endgame solving in large imperfect-information games",
// 2015), as if nobody bet on later streets. `resolve_iterations`: of discounted CFR.
bool is_resolve_option(std::string_view key);

// `spec` has the options, `agents` plays until then and tells the ranges. Throws UsageError when the game is no hold'em
// for two with one ranking, fresh stacks and hidden cards, or the agents tell no policy; ConfigError.
AgentFactoryPtr make_resolving_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game);

}  // namespace dealer::resolve
