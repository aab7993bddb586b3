#pragma once

#include <filesystem>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "env/core/registry.h"

namespace dealer::tabular {

// Plays a policy from a file of solution_file.h: every decision is drawn from it with the seed of reset(). value() is
// what the seat gets when everybody goes on by the policy. Agents of one factory share the tree and the policy. Throws
// UsageError when the tree is too large, CheckpointError when the file is none for this game.
AgentFactoryPtr make_solution_agents(const Spec& spec, const TensorFile& file, const GamePtr& game);

}  // namespace dealer::tabular
