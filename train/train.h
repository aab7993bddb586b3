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

// What `dealer train` was asked for.
struct TrainRequest {
  std::filesystem::path config;         // a YAML file of configs/train, or one's own
  std::vector<std::string> overrides;   // "key=value"
  std::filesystem::path resume;         // a run folder to go on with; then no config
  std::filesystem::path runs = "runs";  // where new run folders are made
  std::filesystem::path out;            // this very run folder instead
  bool quiet = false;
  std::function<double()> clock = {};  // seconds from any start, for a budget of time; empty: the real ones
  bool against_default = false;        // the finished agent meets `default`, too, where the game has one
  // Called on rank 0 whenever metrics.jsonl in the run folder has a new evaluation.
  std::function<void(const std::filesystem::path& run)> evaluated = {};
};

// Mean result of an agent against another, in the game's unit.
struct Evaluation {
  double mean = 0;
  double ci95 = 0;
  nlohmann::json detail;
  bool interrupted = false;  // by Ctrl-C or SIGTERM, before all deals were played
};
// Plays `deals` duplicate deals of a trained agent against the agent of that spec. The arena's business: the program
// connects the two.
using Evaluate = std::function<Evaluation(const AgentFactoryPtr& agent, const std::string& opponent,
                                          const GamePtr& game, int deals, std::uint64_t seed)>;

// How far an agent that plays every seat is from an equilibrium (NashConv / players), in the game's unit; nothing when
// the game's tree is too large.
using MeasureExploitability = std::function<std::optional<double>(const AgentFactoryPtr& agent, const GamePtr& game)>;
struct Evaluations {
  Evaluate match;
  MeasureExploitability exploitability;
  // Whether it can be told of a game; null: of every one. A config that asks for it elsewhere is refused.
  std::function<bool(const Game& game)> tells_exploitability = {};
};

struct TrainOutcome {
  std::filesystem::path run;
  bool interrupted = false;   // saved and stopped before the end: `--resume` goes on
  bool was_finished = false;  // there was nothing left to resume: no final evaluations then
  int rank = 0;               // another one than 0 has neither run folder nor result
  nlohmann::json result;      // final evaluations and figures
  std::string summary;        // of what was learned, for people; may be empty
  GamePtr game;
  double seconds = 0;  // of this training, final evaluations included
};

// Trains as the config says, from the start or from the newest checkpoint of a run. Throws ConfigError, UsageError,
// FileError, CheckpointError. Ctrl-C and SIGTERM, also while it is evaluated, save a checkpoint and return.
//
// With several ranks, each calls it: the run folder is rank 0's alone. An exception on one of them ends all.
TrainOutcome run_training(const TrainRequest& request, const Evaluations& evaluations, Ranks& ranks = single_rank());

}  // namespace dealer
