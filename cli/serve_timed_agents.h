#pragma once

#include <chrono>

#include "agents/agent.h"

namespace dealer::cli {

// The same agents, which refuse to decide once so much time has passed: whoever asks the server for a chart may name
// one that searches for minutes. They throw UsageError then.
AgentFactoryPtr within(std::chrono::steady_clock::duration limit, AgentFactoryPtr agents);

}  // namespace dealer::cli
