#pragma once

#include <memory>
#include <utility>

#include "agents/search/sampling_search.h"
#include "agents/search/tree_search.h"

namespace dealer {

// The optional capabilities of a game's search play (agents/search/play.h).
struct PlayKnows {
  bool weights, estimates, has_history;
};
// Fills in defaults for unset options. Throws UsageError if an option needs a capability that is missing.
void complete_options(SearchSetup& setup, const Game& game, PlayKnows play);

// Makes searches for a game with known state and play types. Throws as complete_options().
template <GameState S, SearchPlay<S> Play>
SearchMaker make_search(std::shared_ptr<const TypedGame<S>> game, Play play, SearchSetup setup) {
  complete_options(setup, *game,
                   {.weights = WeighsStates<Play, S>,
                    .estimates = EstimatesStates<Play, S>,
                    .has_history = HasDecisionHistory<Play, S>});
  return [game = std::move(game), play = std::move(play), setup = std::move(setup)]() -> std::unique_ptr<Search> {
    if (setup.options.algorithm == SearchOptions::Algorithm::kTree)
      return std::make_unique<TreeSearch<S, Play>>(game, play, setup);
    return std::make_unique<SamplingSearch<S, Play>>(game, play, setup);
  };
}

}  // namespace dealer
