#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "train/ranks.h"

namespace dealer {

// The arguments of `dealer train`.
struct TrainRequest {
  std::filesystem::path config;         // a YAML file of configs/train, or the user's own
  std::vector<std::string> overrides;   // "key=value"
  std::filesystem::path resume;         // a run folder to resume; then no config
  std::filesystem::path runs = "runs";  // the parent of new run folders
  std::filesystem::path out;            // exactly this run folder instead
  bool quiet = false;
  std::function<double()> clock = {};  // seconds from an arbitrary start, for a time budget; empty: the real time
  bool against_default = false;        // also evaluate the finished agent against `default`, if the game has one
  // Called on rank 0 after each new evaluation in the run folder's metrics.jsonl.
  std::function<void(const std::filesystem::path& run)> evaluated = {};
};

// Mean result of an agent against another, in the game's unit.
struct Evaluation {
  double mean = 0;
  double ci95 = 0;
  nlohmann::json detail;
  bool interrupted = false;  // by Ctrl-C or SIGTERM, before all deals were played
};
// Plays `deals` duplicate deals of a trained agent against the agent of that spec. Implemented in the arena: the
// program connects the two.
using Evaluate = std::function<Evaluation(const AgentFactoryPtr& agent, const std::string& opponent,
                                          const GamePtr& game, int deals, std::uint64_t seed)>;

// Distance from an equilibrium of an agent that plays every seat (NashConv / players), in the game's unit; nothing when
// the game's tree is too large.
using MeasureExploitability = std::function<std::optional<double>(const AgentFactoryPtr& agent, const GamePtr& game)>;
struct Evaluations {
  Evaluate match;
  MeasureExploitability exploitability;
  // True if it can be measured for a game; null: for every one. A config that requires it elsewhere is rejected.
  std::function<bool(const Game& game)> has_exploitability = {};
};

struct TrainOutcome {
  std::filesystem::path run;
  bool interrupted = false;   // saved and stopped before the end: `--resume` continues
  bool was_finished = false;  // the resumed run was complete: no final evaluations then
  int rank = 0;               // ranks other than 0 have neither run folder nor result
  nlohmann::json result;      // final evaluations and metrics
  std::string summary;        // a description of the learned model for people; may be empty
  GamePtr game;
  double seconds = 0;  // of this training, final evaluations included
};

// Trains according to the config, from the start or from the newest checkpoint of a run. Throws ConfigError,
// UsageError, FileError, CheckpointError. Ctrl-C and SIGTERM, also during an evaluation, save a checkpoint and return.
//
// Every rank calls it: only rank 0 has the run folder. An exception on one rank ends all of them.
TrainOutcome run_training(const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks = single_rank());

// A training as its config describes it.
struct TrainingPlan {
  GamePtr game;
  std::int64_t hands = 0;
  std::string measure;  // of the final result: "exploitability", or "match/OPPONENT" of the first match; empty: none
  std::string config;   // YAML, with all default values
};
// Checks all that run_training() checks of a new run before it trains: the config, its overrides, the opponents and the
// file to start from. Throws like run_training(); writes nothing.
TrainingPlan check_training(const TrainRequest& request, const Evaluations& evaluations);

}  // namespace dealer
