#pragma once

#include "agents/abstraction/bucket_solver.h"
#include "agents/agent.h"

namespace dealer::abstraction {

// Agents that play what a BucketSolver has found. Options: `temperature` 1 (probabilities to the power of its inverse;
// 0: the likeliest alone) and `threshold` 0 (cut_off()). Throws CheckpointError when the file is none, or one of
// another game or other rules.
AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game);

}  // namespace dealer::abstraction
