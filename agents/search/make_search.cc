#include "agents/search/make_search.h"

#include <fmt/format.h>

#include "env/core/error.h"

namespace dealer {

void complete_options(SearchSetup& setup, const Game& game, PlayKnows play) {
  using Players = SearchOptions::Players;
  using Weights = SearchOptions::Weights;
  SearchOptions& options = setup.options;
  const auto refuse = [&](const std::string& what) {
    throw UsageError(fmt::format("agent '{}': {}", setup.spec, what));
  };
  if (setup.evaluator && options.algorithm == SearchOptions::Algorithm::kTree)
    refuse("algorithm=ismcts searches without another agent, as in search[simulations=1000,algorithm=ismcts]");
  if (!setup.evaluator && options.playouts.value_or(Players::kQuick) != Players::kQuick)
    refuse("playouts goes with another agent, as in default[simulations=1000]");
  const EvaluatorAttributes agent = setup.evaluator ? setup.evaluator()->attributes() : EvaluatorAttributes();
  const bool values = agent.value && agent.cheap;
  if (!options.playouts)
    options.playouts = !setup.evaluator  ? Players::kQuick
                       : !play.estimates ? Players::kAgent
                       : values          ? Players::kMixed
                                         : Players::kQuick;
  const bool mixed = options.playouts == Players::kMixed, quick = options.playouts == Players::kQuick;
  if (!options.depth) options.depth = play.estimates && (quick || mixed) ? kUsualDepth : mixed ? 1 : 0;
  if (mixed && options.depth == 0) refuse("playouts=mixed goes with a depth of 1 or more");
  if (*options.depth > 0 && quick && !play.estimates)
    refuse(
        fmt::format("nothing is known of '{}' by which a position could be valued; leave depth out, or search with "
                    "a network",
                    game.spec()));
  if (*options.depth > 0 && !quick && !values)
    refuse("depth goes with a network, which says what a position is worth; this agent does not");
  if (options.weighted == Weights::kPrior && !play.weights)
    refuse(fmt::format("nothing is known of '{}' by which states could be weighted; leave weighted=true out",
                       game.spec()));
  if (options.weighted == Weights::kAgent && !setup.evaluator)
    refuse("weighted=agent goes with another agent, as in default[simulations=1000,weighted=agent]");
  if (options.weighted == Weights::kAgent && !play.has_history)
    refuse(fmt::format("what others did in a hand of '{}' cannot be gone through again; leave weighted=agent out",
                       game.spec()));
  if (!options.weighted) options.weighted = play.weights ? Weights::kPrior : Weights::kDeal;
}

}  // namespace dealer
