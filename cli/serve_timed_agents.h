#pragma once

#include <chrono>

#include "agents/agent.h"

namespace dealer::cli {

// The same agents with a time limit for their decisions, after which they throw UsageError: a request to the server for
// a chart may name an agent that searches for minutes.
AgentFactoryPtr within(std::chrono::steady_clock::duration limit, AgentFactoryPtr agents);

}  // namespace dealer::cli
