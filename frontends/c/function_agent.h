#pragma once

#include <string>

#include "agents/agent.h"
#include "dealers_choice.h"

namespace dealer::capi {

// Agents implemented by C functions (dc_agent_functions in include/dealers_choice.h). A failure reported by such a
// function becomes an Error that names the agent and the function.
AgentFactoryPtr make_function_agents(std::string name, const dc_agent_functions& functions, GamePtr game);

}  // namespace dealer::capi
