#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "agents/agent.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/value_model.h"
#include "env/core/registry.h"

namespace dealer::ofc {

// The trained value agent: evaluates every placement of the turn and takes the one whose afterstate the network
// values most; pairs of complete boards are scored exactly. Fantasyland hands are set by the exact solver against
// the model's sample of boards. Its search plays placements out (afterstate_search.h). Options: caution=C (extra
// aversion in points to a certain foul; default from the model), fantasyland=V (value in points of being in
// Fantasyland, replacing the learned one: ModelPlay), endgame=false (the network alone values the last two turns:
// Endgame). Its evaluator has all attributes.
AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);

// The same from a model in memory.
AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  std::optional<double> caution = {}, std::optional<double> fantasyland = {},
                                  bool endgame = true);

}  // namespace dealer::ofc
