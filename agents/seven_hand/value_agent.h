#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "agents/agent.h"
#include "agents/seven_hand/preference.h"
#include "agents/seven_hand/turn_evaluator.h"
#include "env/core/registry.h"

namespace dealer::seven_hand {

// Agents that choose whole turns by the network's afterstate values. Throws UsageError for other games.
AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  const Preference* preference = nullptr);
// Loads a file of weights; the option `prefers` names a Preference. Throws
// UsageError, CheckpointError, FileError.
AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);

}  // namespace dealer::seven_hand
