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
// A choice of a decision as it was judged.
struct JudgedChoice {
  std::string text;
  std::optional<double> probability;  // with which the agent makes it
  std::optional<double> value;        // expected return from here to the end of the hand, in the game's unit
  double error = 0;                   // its standard error
};

// How a decision is to be taken.
enum class Verdict : std::uint8_t {
  kSame,     // what the agent would do, or worth as much
  kAlso,     // the agent does so, too, now and then (kOwnChoice)
  kUnclear,  // the difference is within what chance or the agent's values may be off
  kMistake,
  kUnjudged,
};
// "same", "also", "unclear", "mistake", "unjudged"
std::string_view name_of(Verdict verdict);

// What the agent itself chooses so often is no mistake.
inline constexpr double kOwnChoice = 0.1;

struct Judgement {
  Verdict verdict = Verdict::kUnjudged;
  std::string why;                    // not judged
  std::string method;                 // "exact", "network", "search", "playouts"
  std::vector<JudgedChoice> choices;  // the likeliest or the best first
  std::size_t chosen = 0, best = 0;   // places in choices
  std::size_t agent = 0;              // what the agent does, or does most often
  // What the agent's choice, or the best where values are exact, is worth more than the chosen one. Below 0 where the
  // chosen one came out better: so means of it are not biased. Nothing where it was not valued.
  std::optional<double> difference;
  double error = 0;  // its standard error
  // The same, at least 0; settle() tells it.
  std::optional<double> loss;
  // What the agent's own play from here, mixed as it is, is worth more than the chosen one: below 0 where that came out
  // better. 0 on average for who plays as the agent does. Without a policy the same as the difference to the agent's.
  std::optional<double> cost;
  double cost_error = 0;
};

// Analysers decisions of one game by one agent; serves one thread and keeps nothing that changes a result.
class Analyser {
 public:
  virtual ~Analyser() = default;
  // The same question and seed give the same judgement.
  virtual Judgement judge(const Question& question, std::uint64_t seed) = 0;
};

struct AnalyserOptions {
  std::string agent = "default";
  std::int64_t simulations = 0;  // a decision; 0: as many as the way of judging usually takes
  int milliseconds = 0;          // instead, for search
  // By playouts also where values could be exact, of games small enough to enumerate.
  bool sampled = false;
};

inline constexpr std::int64_t kPlayouts = 400, kSearched = 1000;

// Analysers of a game.
struct Analysers {
  std::string agent;                                // its spec
  std::string method;                               // "exact", "network", "search", "playouts"
  std::function<std::unique_ptr<Analyser>()> make;  // one a thread
};
// Throws UsageError, CheckpointError or FileError: no such agent, none that is trained for the game, one that neither
// values choices nor tells its policy.
Analysers make_analysers(const GamePtr& game, const AnalyserOptions& options);

// Tells loss, best and verdict by the rest of a judgement. doubt: differences as small as this say nothing.
void settle(Judgement& judgement, double doubt);

}  // namespace dealer::analysis
