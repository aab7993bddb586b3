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

// How long a search thinks, and how. docs/agent-options.md lists the options of a spec.
struct SearchOptions {
  enum class Algorithm : std::uint8_t { kHalving, kTree };
  enum class Selection : std::uint8_t { kUct, kRegretMatching };
  // With an agent, who plays out: the quick player of the game, which also values positions where it can; the quick
  // player, the agent valuing positions; the agent.
  enum class Players : std::uint8_t { kQuick, kMixed, kAgent };
  // What makes a sampled state likely: the deal alone; how others are expected to lay, too; their play as the agent's.
  enum class Weights : std::uint8_t { kDeal, kPrior, kAgent };
  // Whose information sets the nodes of the tree are: those of the player to act, or the observer's at every node.
  enum class Nodes : std::uint8_t { kOwn, kObserver };

  // The budget of a decision: one of the two is above 0.
  std::int64_t simulations = 0;  // of one choice in one sampled state, to the end of the hand or the horizon
  int milliseconds = 0;
  int threads = 1;
  Algorithm algorithm = Algorithm::kHalving;
  int candidates = 32;  // halving: choices that are compared, where there are more
  // SequentialHalving. Nothing said: the behaviour prior where there is one.
  std::optional<Weights> weighted;
  // Weighted: states of which one is taken; by the agent, of which all are taken. Nothing said: kUsualProposals,
  // kUsualProposalsByAgent.
  std::optional<int> proposals;
  // SequentialHalving: turns until a value stands for the rest of the hand; 0: to its end. Nothing said: kUsualDepth
  // turns of the quick player where the game's play values positions; otherwise 1 for playouts=mixed, else to the end.
  std::optional<int> depth;
  // SequentialHalving with an agent. Nothing said: where the game's play values positions, mixed with an agent that
  // does so, too, and quick with others; else the agent.
  std::optional<Players> playouts;
  Selection selection = Selection::kUct;
  Nodes nodes = Nodes::kOwn;
  double exploration = 0.7;  // uct: the constant of UCB1; regret matching: the share of uniform play
  int policy_runs = 0;       // searches whose choices are counted where a policy is asked for; 0: it tells none
};

// The options of an agent's spec that make search of it, as in "default[simulations=1000]".
std::vector<std::string> search_option_names();
bool is_search_option(std::string_view key);
// The options of search, taken out of those of an agent's spec. `own` gets the others.
Spec search_options_of(const Spec& spec, Spec& own);

// Asks for all the keys; the caller calls finish(). Throws ConfigError, and UsageError when there is no budget, there
// are two, or an option goes with another algorithm; `spec` names the agent.
SearchOptions read_search_options(Config& options, std::string_view spec);

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
