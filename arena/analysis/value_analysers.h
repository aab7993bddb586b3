#pragma once

#include <memory>

#include "agents/agent.h"
#include "arena/analysis/analyser.h"

namespace dealer::analysis {

// By agents whose evaluators have action values.
std::unique_ptr<Analyser> make_value_analyser(const AgentFactory& agents, const Game& game);

// The whole tree of a small game with the exact values of all actions where everybody goes on as an agent does.
class TreeValues;
// Throws UsageError when the agent tells no policy.
std::shared_ptr<const TreeValues> make_tree_values(const GamePtr& game, const AgentFactory& agents);
std::unique_ptr<Analyser> make_tree_analyser(std::shared_ptr<const TreeValues> values);

}  // namespace dealer::analysis
