#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/evaluator.h"
#include "env/core/config.h"
#include "env/core/game.h"
#include "env/core/registry.h"

namespace dealer {

inline constexpr int kUsualDepth = 6;
inline constexpr int kUsualProposals = 4, kUsualProposalsByAgent = 512;

// The budget and the method of a search. docs/agent-options.md lists the options of a spec.
struct SearchOptions {
  enum class Algorithm : std::uint8_t { kHalving, kTree };
  enum class Selection : std::uint8_t { kUct, kRegretMatching };
  // The players of a playout when there is an agent: the game's quick player, which also values positions if it can;
  // the quick player, with the agent valuing positions; the agent.
  enum class Players : std::uint8_t { kQuick, kMixed, kAgent };
  // The weighting of sampled states: the deal alone; also the behaviour prior; the agent's own policy.
  enum class Weights : std::uint8_t { kDeal, kPrior, kAgent };
  // The information sets that key the tree's nodes: those of the player to act, or the observer's at every node.
  enum class Nodes : std::uint8_t { kOwn, kObserver };

  // The budget of a decision: exactly one of the two is above 0.
  std::int64_t simulations = 0;  // playouts of one choice in one sampled state, to the end of the hand or the horizon
  int milliseconds = 0;
  int threads = 1;
  Algorithm algorithm = Algorithm::kHalving;
  int candidates = 32;  // halving: the maximum number of choices compared
  // SequentialHalving. Default: the behaviour prior if there is one.
  std::optional<Weights> weighted;
  // If weighted: the number of proposals per state taken; weighted by the agent: the number of proposals in all.
  // Default: kUsualProposals, kUsualProposalsByAgent.
  std::optional<int> proposals;
  // SequentialHalving: the number of turns after which a value replaces the rest of the hand; 0: none. Default:
  // kUsualDepth turns of the quick player if the game's play values positions; otherwise 1 for playouts=mixed, else 0.
  std::optional<int> depth;
  // SequentialHalving with an agent. Default: if the game's play values positions, mixed for an agent that does so,
  // too, and quick for others; else the agent.
  std::optional<Players> playouts;
  Selection selection = Selection::kUct;
  Nodes nodes = Nodes::kOwn;
  double exploration = 0.7;  // uct: the constant of UCB1; regret matching: the share of uniform play
  int policy_runs = 0;       // number of searches whose choices estimate the policy when one is requested; 0: no policy
};

// The options that turn an agent's spec into a search, as in "default[simulations=1000]".
std::vector<std::string> search_option_names();
bool is_search_option(std::string_view key);
// Extracts the options of search from an agent's spec. `own` receives the others.
Spec search_options_of(const Spec& spec, Spec& own);

// Reads all the keys; the caller calls finish(). Throws ConfigError, and UsageError if there is no budget or more than
// one, or if an option belongs to another algorithm; `spec` names the agent.
SearchOptions read_search_options(Config& options, std::string_view spec);

struct SearchResult {
  std::vector<ChoiceValue> choices;  // the best first
  std::size_t chosen = 0;
  // The expected observation before each later action of the choice: if it matches, no new search is needed.
  std::vector<std::vector<float>> ahead;
};

// Two choices compared on the same samples.
struct Comparison {
  ChoiceValue first, second;
  double difference = 0;  // value of the first less that of the second
  double error = 0;       // its standard error; 0 if nothing is left to chance
};

// Searches from the observation of one seat. Keeps nothing between two runs.
class Search {
 public:
  virtual ~Search() = default;
  // With a budget of simulations and the same number of threads, the same observation and seed give the same result.
  // Throws UsageError if the observer is not to act or if it is not an observation of the game.
  virtual SearchResult run(const Observation& seen, std::uint64_t seed) = 0;
  // Compares two choices, each a turn or an action, with as many simulations as a run. nullopt if the search does not
  // support it. Throws UsageError as run(), and if one is not a legal choice.
  virtual std::optional<Comparison> compare(const Observation& /*seen*/,
                                            std::span<const std::vector<Action>, 2> /*choices*/,
                                            std::uint64_t /*seed*/) {
    return std::nullopt;
  }
};

// The ingredients of a search.
struct SearchSetup {
  SearchOptions options;
  std::string spec;
  // Makes evaluators of the agent that guides the search, one per thread. Empty without an agent.
  std::function<std::unique_ptr<PositionEvaluator>()> evaluator;
};

}  // namespace dealer
