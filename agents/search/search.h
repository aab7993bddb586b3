#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent_policies.h"
#include "agents/search/search_options.h"
#include "env/core/game.h"

namespace dealer {

// A choice of a search: one action, or the actions of a whole turn.
struct RatedChoice {
  std::vector<Action> actions;
  std::string text;              // for people
  double value = 0;              // expected return from here, in the game's unit
  double error = 0;              // its standard error
  std::int64_t simulations = 0;  // that began with it
};

struct SearchResult {
  std::vector<RatedChoice> choices;  // the best first
  std::size_t chosen = 0;
  // What the seat will see before each later action of the choice: where it does, no new search is needed.
  std::vector<std::vector<float>> ahead;
};

// Two choices after the same samples.
struct Comparison {
  RatedChoice first, second;
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
  // The agent that is searched with: fresh ones, one a thread. Empty without one.
  std::function<std::unique_ptr<AgentPolicies>()> agent;
};
using SearchMaker = std::function<std::unique_ptr<Search>()>;

// A factory of agents that are searched with in a way of their own, not through their policies.
class MakesSearches {
 public:
  virtual ~MakesSearches() = default;
  // setup.agent is empty. Throws UsageError when the options ask for what there is not.
  virtual SearchMaker make_search(const SearchSetup& setup) const = 0;
};

}  // namespace dealer
