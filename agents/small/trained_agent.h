#pragma once

#include <filesystem>

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::small {

// An agent of Kuhn poker, Leduc hold'em or small draw poker from a file, of whatever kind its metadata key "format"
// says. Throws CheckpointError.
AgentFactoryPtr make_trained_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);

}  // namespace dealer::small
