#pragma once

#include "agents/agent.h"
#include "agents/search/search.h"

namespace dealer {

// Agents that search at every decision, each with a search of its own. If the choice is a whole turn, the rest of
// it is played without another search as long as the observations match the expected ones. Deterministic for a
// seed and a budget of simulations.

// "search[simulations=1000]": search without an agent. Throws UsageError, also if the game cannot be searched.
AgentFactoryPtr make_search_agents(const Spec& spec, const GamePtr& game);
// Search guided by an agent: its policy proposes turns and plays them out, unless it has its own method
// (AgentFactory::make_search). options: of the search, as extracted by search_options_of().
AgentFactoryPtr make_search_agents(const Spec& spec, const Spec& options, const AgentFactoryPtr& agents,
                                   const GamePtr& game);

}  // namespace dealer
