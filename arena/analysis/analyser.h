#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "arena/analysis/turns.h"

namespace dealer::analysis {
// A choice of a decision with its evaluation.
struct JudgedChoice {
  std::string text;
  std::optional<double> probability;  // of the agent's policy
  std::optional<double> value;        // expected return from here to the end of the hand, in the game's unit
  double error = 0;                   // its standard error
};

// The verdict on a decision.
enum class Verdict : std::uint8_t {
  kSame,     // the agent's own choice, or worth as much
  kAlso,     // the agent also chooses it sometimes (kOwnChoice)
  kUnclear,  // the difference is within the error of sampling or of the agent's values
  kMistake,
  kUnjudged,
};
// "same", "also", "unclear", "mistake", "unjudged"
std::string_view name_of(Verdict verdict);

// A choice that the agent's policy takes with at least this probability is not a mistake.
inline constexpr double kOwnChoice = 0.1;

struct Judgement {
  Verdict verdict = Verdict::kUnjudged;
  std::string why;                    // reason why it was not analysed
  std::string method;                 // "exact", "network", "search", "playouts"
  std::vector<JudgedChoice> choices;  // the most probable or the best first
  std::size_t chosen = 0, best = 0;   // indices into choices
  std::size_t agent = 0;              // the agent's choice, or its most probable one
  // The value of the agent's choice, or of the best one if values are exact, less that of the chosen one. Negative if
  // the chosen one came out better, so that means of it are unbiased. nullopt if it was not valued.
  std::optional<double> difference;
  double error = 0;  // its standard error
  // The difference, but at least 0; set by settle().
  std::optional<double> loss;
  // The value of the agent's own mixed policy less that of the chosen action; may be negative. Zero expectation for a
  // player following that policy. Without a policy equal to the difference to the agent's choice.
  std::optional<double> cost;
  double cost_error = 0;
};

// Analyses decisions of one game by one agent; serves one thread and keeps nothing that changes a result.
class Analyser {
 public:
  virtual ~Analyser() = default;
  // The same question and seed give the same judgement.
  virtual Judgement judge(const Question& question, std::uint64_t seed) = 0;
};

struct AnalyserOptions {
  std::string agent = "default";
  std::int64_t simulations = 0;  // per decision; 0: the default of the method
  int milliseconds = 0;          // alternative budget, for search
  // Uses playouts even in games small enough for exact values.
  bool sampled = false;
};

inline constexpr std::int64_t kPlayouts = 400, kSearched = 1000;

// The analysers of a game.
struct Analysers {
  std::string agent;                                // its spec
  std::string method;                               // "exact", "network", "search", "playouts"
  std::function<std::unique_ptr<Analyser>()> make;  // one per thread
};
// Throws UsageError, CheckpointError or FileError: no such agent, no agent trained for the game, or an agent that has
// neither choice values nor a policy.
Analysers make_analysers(const GamePtr& game, const AnalyserOptions& options);

// Sets loss, best and verdict from the rest of a judgement. doubt: differences up to this size are not significant.
void settle(Judgement& judgement, double doubt);

}  // namespace dealer::analysis
