#pragma once

#include <memory>
#include <optional>

#include "agents/ofc/model_play.h"
#include "agents/search/search.h"

namespace dealer::ofc {

// Search for the trained value agent. Candidates are the placements with the highest network values. All players follow
// the network over the same deals; sequential halving drops candidates (agents/search/sequential_halving.h), and the
// playout results at each of the own future turns correct the network's value (NStepEstimator). Last turns are exact:
// if at most one opponent has yet to set its last three cards and nobody is in Fantasyland, all placements are valued
// over all deals of these, each set optimally. Fantasyland hands are set by the exact solver. Playouts use no foul
// aversion. Throws UsageError if an option does not apply here, among them the agent's `caution`.
SearchMaker make_afterstate_search(const SearchSetup& setup, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
                                   std::optional<double> caution);

}  // namespace dealer::ofc
