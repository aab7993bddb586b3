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

// The trained player: looks at every placement of the turn and takes the one whose afterstate the network values most;
// boards that are complete on both sides are scored exactly. Fantasyland hands are set by the exact solver against the
// boards the model has met. It is searched with by playing placements on (afterstate_search.h).
// Options: caution=C (points by which to fear a certain foul beyond its cost; the model has its own), fantasyland=V
// (points that being in Fantasyland counts instead of what the model has learned: ModelPlay), endgame=false (the
// network alone values the last two turns: Endgame). Its evaluator has all attributes.
AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);

// The same from a model in memory.
AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  std::optional<double> caution = {}, std::optional<double> fantasyland = {},
                                  bool endgame = true);

}  // namespace dealer::ofc
