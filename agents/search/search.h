#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/evaluator.h"
#include "agents/search/search_options.h"
#include "env/core/game.h"

namespace dealer {

struct SearchResult {
  std::vector<ChoiceValue> choices;  // the best first
  std::size_t chosen = 0;
  // What the seat will see before each later action of the choice: where it does, no new search is needed.
  std::vector<std::vector<float>> ahead;
};

// Two choices after the same samples.
struct Comparison {
  ChoiceValue first, second;
  double difference = 0;  // what the first is worth more
  double error = 0;       // its standard error; 0 where nothing is left to chance
};

// Looks ahead from what one seat sees. Keeps nothing between two runs.
class Search {
 public:
  virtual ~Search() = default;
  // The same observation and seed give the same result, for a budget of simulations and the same number of threads.
  // Throws UsageError when the observer is not to act or it is no observation of the game.
  virtual SearchResult run(const Observation& seen, std::uint64_t seed) = 0;
  // Two choices, each a turn or an action, by as many simulations as a run. Nothing where the search has no way to do
  // so. Throws UsageError as run(), and for what is no choice.
  virtual std::optional<Comparison> compare(const Observation& /*seen*/,
                                            std::span<const std::vector<Action>, 2> /*choices*/,
                                            std::uint64_t /*seed*/) {
    return std::nullopt;
  }
};

// What a search is made of.
struct SearchSetup {
  SearchOptions options;
  std::string spec;
  // Makes evaluators of the agent that is searched with, one a thread. Empty without one.
  std::function<std::unique_ptr<PositionEvaluator>()> evaluator;
};

}  // namespace dealer
