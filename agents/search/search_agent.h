#pragma once

#include <string>

#include "agents/agent.h"
#include "agents/search/search.h"

namespace dealer {

// Agents that search at every decision, each with a search of its own. Where the choice is a whole turn, the rest of it
// is played without another search as long as the seat sees what it expected to. Deterministic for a seed and a budget
// of simulations.

// "search[simulations=1000]": search without another agent. Throws UsageError, also where the game cannot be searched.
AgentFactoryPtr make_search_agents(const Spec& spec, const GamePtr& game);
// Search with an agent: its policy proposes turns and plays them out, unless it has a way of its own
// (AgentFactory::make_search). options: of the search, as search_options_of() takes them out.
AgentFactoryPtr make_search_agents(const Spec& spec, const Spec& options, const AgentFactoryPtr& agents,
                                   const GamePtr& game);

}  // namespace dealer
