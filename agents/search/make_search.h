#pragma once

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "agents/search/sampling_search.h"
#include "agents/search/tree_search.h"
#include "env/core/error.h"

namespace dealer {

// Makes the searches of a game whose states and play are known. Throws UsageError when the options ask for what there
// is not.
template <GameState S, SearchPlay<S> Play>
SearchMaker make_search(std::shared_ptr<const TypedGame<S>> game, Play play, SearchSetup setup) {
  SearchOptions& options = setup.options;
  if (options.weighted.value_or(false) && !WeighsStates<Play, S>)
    throw UsageError(fmt::format("agent '{}': nothing is known of '{}' by which states could be weighted; leave "
                                 "weighted=true out",
                                 setup.spec, game->spec()));
  if (options.depth.value_or(0) > 0 && !setup.agent && !EstimatesStates<Play, S>)
    throw UsageError(fmt::format("agent '{}': nothing is known of '{}' by which a position could be valued; leave "
                                 "depth out, or search with a network",
                                 setup.spec, game->spec()));
  if (!options.weighted) options.weighted = WeighsStates<Play, S>;
  if (!options.depth) options.depth = EstimatesStates<Play, S> && !setup.agent ? kUsualDepth : 0;
  return [game = std::move(game), play = std::move(play), setup = std::move(setup)]() -> std::unique_ptr<Search> {
    if (setup.options.algorithm == SearchOptions::Algorithm::kTree)
      return std::make_unique<TreeSearch<S, Play>>(game, play, setup);
    return std::make_unique<SamplingSearch<S, Play>>(game, play, setup);
  };
}

}  // namespace dealer
