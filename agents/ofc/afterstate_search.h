#pragma once

#include <memory>
#include <optional>

#include "agents/ofc/model_play.h"
#include "agents/search/search.h"

namespace dealer::ofc {

// Searches of the trained player. Candidates are the placements that the network values most. Everybody plays on by the
// network over the same deals; sequential halving drops candidates (agents/search/sequential_halving.h), and what
// playouts find at each of the own turns to come corrects the network's word (NStepEstimator). Last turns are exact:
// where at most one opponent is still to set its last three cards and nobody is in Fantasyland, all placements are
// valued over all deals of these, each set as well as can be. Fantasyland hands are set by the exact solver. Nobody is
// cautious in playouts. Throws UsageError when an option means nothing here, among them the agent's `caution`.
SearchMaker make_afterstate_search(const SearchSetup& setup, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
                                   std::optional<double> caution);

}  // namespace dealer::ofc
