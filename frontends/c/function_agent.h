#pragma once

#include <string>

#include "agents/agent.h"
#include "dealers_choice.h"

namespace dealer::capi {

// Agents whose decisions C functions make (dc_agent_functions in include/dealers_choice.h). What such a function calls
// a failure becomes an Error that names the agent and the function.
AgentFactoryPtr make_function_agents(std::string name, const dc_agent_functions& functions, GamePtr game);

}  // namespace dealer::capi
