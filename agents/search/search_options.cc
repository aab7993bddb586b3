#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "agents/search/make_search.h"
#include "agents/search/search.h"
#include "env/core/error.h"

namespace dealer {
namespace {

constexpr std::string_view kKeys[] = {"simulations", "milliseconds", "threads",    "algorithm", "candidates",
                                      "weighted",    "proposals",    "depth",      "playouts",  "selection",
                                      "nodes",       "exploration",  "policy_runs"};

// Options specific to one algorithm.
struct Bound {
  std::string_view key;
  bool of_tree;
};
constexpr Bound kBound[] = {{"candidates", false}, {"weighted", false}, {"proposals", false}, {"depth", false},
                            {"playouts", false},   {"selection", true}, {"nodes", true},      {"exploration", true}};

}  // namespace

bool is_search_option(std::string_view key) {
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

std::vector<std::string> search_option_names() { return {std::begin(kKeys), std::end(kKeys)}; }

Spec search_options_of(const Spec& spec, Spec& own) {
  Spec search{spec.name, {}};
  own = {spec.name, {}};
  for (const auto& option : spec.options) (is_search_option(option.first) ? search : own).options.push_back(option);
  return search;
}

SearchOptions read_search_options(Config& config, std::string_view spec) {
  SearchOptions options;
  options.simulations = config.get_int<int>("simulations", 0, 1, 100'000'000);
  options.milliseconds = config.get_int<int>("milliseconds", 0, 1, 86'400'000);
  options.threads = config.get_int<int>("threads", options.threads, 1, 256);
  const bool tree = config.get_choice("algorithm", "halving", {"halving", "ismcts"}) == 1;
  options.algorithm = tree ? SearchOptions::Algorithm::kTree : SearchOptions::Algorithm::kHalving;
  options.candidates = config.get_int<int>("candidates", options.candidates, 2, 256);
  // Always read, so that it is among the known keys in the error message for a misspelt one.
  const std::size_t weighted = config.get_choice("weighted", "false", {"false", "true", "agent"});
  if (config.has("weighted")) options.weighted = static_cast<SearchOptions::Weights>(weighted);
  const int proposals = config.get_int<int>("proposals", kUsualProposals, 1, 10'000);
  if (config.has("proposals")) options.proposals = proposals;
  const int depth = config.get_int<int>("depth", 0, 0, 100);
  if (config.has("depth")) options.depth = depth;
  const std::size_t playouts = config.get_choice("playouts", "quick", {"quick", "mixed", "agent"});
  if (config.has("playouts")) options.playouts = static_cast<SearchOptions::Players>(playouts);
  options.selection = config.get_choice("selection", "uct", {"uct", "regret_matching"}) == 0
                          ? SearchOptions::Selection::kUct
                          : SearchOptions::Selection::kRegretMatching;
  options.nodes = config.get_choice("nodes", "own", {"own", "observer"}) == 0 ? SearchOptions::Nodes::kOwn
                                                                              : SearchOptions::Nodes::kObserver;
  const bool uct = options.selection == SearchOptions::Selection::kUct;
  options.exploration = config.get_double("exploration", uct ? 0.7 : 0.2, 0, uct ? 100 : 1);
  options.policy_runs = config.get_int<int>("policy_runs", options.policy_runs, 0, 1'000'000);
  for (const Bound& bound : kBound)
    if (bound.of_tree != tree && config.has(bound.key))
      throw UsageError(
          fmt::format("agent '{}': {} needs algorithm={}", spec, bound.key, bound.of_tree ? "ismcts" : "halving"));
  if (config.has("simulations") && config.has("milliseconds"))
    throw UsageError(
        fmt::format("agent '{}': simulations and milliseconds exclude each other; expected one of them", spec));
  if (!config.has("simulations") && !config.has("milliseconds"))
    throw UsageError(
        fmt::format("agent '{}' has no budget; expected simulations=N or milliseconds=N, N at least 1", spec));
  return options;
}

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
    refuse("playouts needs another agent, as in default[simulations=1000]");
  const EvaluatorAttributes agent = setup.evaluator ? setup.evaluator()->attributes() : EvaluatorAttributes();
  const bool values = agent.value && agent.cheap;
  if (!options.playouts)
    options.playouts = !setup.evaluator  ? Players::kQuick
                       : !play.estimates ? Players::kAgent
                       : values          ? Players::kMixed
                                         : Players::kQuick;
  const bool mixed = options.playouts == Players::kMixed, quick = options.playouts == Players::kQuick;
  if (!options.depth) options.depth = play.estimates && (quick || mixed) ? kUsualDepth : mixed ? 1 : 0;
  if (mixed && options.depth == 0) refuse("playouts=mixed needs a depth of 1 or more");
  if (*options.depth > 0 && quick && !play.estimates)
    refuse(fmt::format("'{}' has no values of positions without a network; omit depth, or search with a network",
                       game.spec()));
  if (*options.depth > 0 && !quick && !values)
    refuse("depth needs an agent that provides values of positions; this agent does not");
  if (options.weighted == Weights::kPrior && !play.weights)
    refuse(fmt::format("'{}' has no weights for sampled states; omit weighted=true", game.spec()));
  if (options.weighted == Weights::kAgent && !setup.evaluator)
    refuse("weighted=agent needs another agent, as in default[simulations=1000,weighted=agent]");
  if (options.weighted == Weights::kAgent && !play.has_history)
    refuse(fmt::format("the earlier decisions of a hand of '{}' cannot be replayed; omit weighted=agent", game.spec()));
  if (!options.weighted) options.weighted = play.weights ? Weights::kPrior : Weights::kDeal;
}

}  // namespace dealer
