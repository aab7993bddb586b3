#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "agents/agent.h"
#include "agents/policy/policy_network.h"
#include "env/core/registry.h"

namespace dealer {

// Plays a policy network: samples from its probabilities. Batches of tables are evaluated together. Options:
// temperature=T (of the softmax; 1 as trained, 0 the most probable action), threshold=P (actions less probable than P
// are not played; default from the model).
AgentFactoryPtr make_policy_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);

// The same from a network in memory.
AgentFactoryPtr make_policy_agents(std::string spec, std::shared_ptr<const PolicyNetwork> network, const GamePtr& game,
                                   double temperature = 1, std::optional<double> threshold = {});

}  // namespace dealer
