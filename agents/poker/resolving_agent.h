#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::resolve {

// True for the option `resolve` of two-player hold'em agents (none, river, turn or flop) and `resolve_iterations` (of
// discounted CFR). From that street on every betting round is re-solved in play, starting from the ranges with which
// both players reach it if they follow the agent's policy (Ganzfried and Sandholm, "Endgame solving in large
// imperfect-information games", 2015), assuming no betting on later streets.
bool is_resolve_option(std::string_view key);

// `spec` has the options, `agents` plays until then and provides the ranges. Throws UsageError unless the game is
// two-player hold'em with one ranking, fresh stacks and hidden cards and the agents have a policy; ConfigError.
AgentFactoryPtr make_resolving_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game);

}  // namespace dealer::resolve
