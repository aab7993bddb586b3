#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "agents/policy/policy_network.h"
#include "env/core/worker_pool.h"
#include "train/policy/opponent.h"
#include "train/policy/rollout.h"
#include "train/ranks.h"
#include "train/worker_tables.h"

namespace dealer {

struct PolicySelfPlaySettings {
  int workers = 2;          // threads, each with its own tables
  bool overlap = false;     // play in the background, alternating between two sets of tables
  std::uint64_t seed = 1;   // of all tables; that of `rollout` is ignored
  AgentFactoryPtr against;  // plays the other seats of the league's tables; null: past selves, if there are any
  RolloutSettings rollout;
};

// Inputs of an iteration of play, besides the tables.
struct PlayTask {
  using Layers = std::vector<PolicyNetwork::Layer>;

  Layers player;
  Layers past_self;                             // plays the other seats of the league's tables; empty: none
  std::int64_t iteration = 0;                   // from 0; below 0: play before the first one
  double explore = 0;                           // share of the base policy, 0 to 1
  std::int64_t most_hands = Rollout::kNoLimit;  // over all ranks; every worker plays its share
};

// All rollouts of this rank and the threads that play them. One iteration at a time is played, and then waits until it
// is taken for learning.
// With `overlap` there are two sets of rollouts, for even and for odd iterations: while the learner uses one, the
// other is played. Only one thread calls these functions, and all collective operations among the ranks run in
// it.
class PolicySelfPlay {
 public:
  PolicySelfPlay(GamePtr game, EncoderPtr encoder, const PolicySelfPlaySettings& settings, Ranks& ranks);

  // Plays the tables for that iteration, with `overlap` in the background until finish(). Precondition: no iteration is
  // being played or waits to be taken.
  void start(PlayTask task);
  // True between start() and finish().
  bool playing() const { return playing_; }
  // Waits for the play in progress. All ranks take part. Rethrows a player's exception, once all have stopped.
  void finish();
  // The same without the other ranks and without throwing, for when the learner cannot continue.
  void abandon();

  // True if a played iteration waits to be taken.
  bool played() const { return played_.has_value(); }
  // Counters over all ranks. Precondition: played().
  const RolloutCounts& counts() const { return *played_; }
  void take() { played_.reset(); }
  // The task last started.
  const PlayTask& task() const { return task_; }

  // [workers] The rollouts of an iteration. They may be read unless they are being played.
  std::span<const std::unique_ptr<Rollout>> rollouts(std::int64_t iteration) const { return sets_[set_of(iteration)]; }

  // Number of workers over all ranks: now, and the maximum since the run began.
  std::int64_t workers() const { return tables_.workers() / sets(); }
  std::int64_t most_workers() const { return tables_.most_workers() / sets(); }
  // Processor time so far: of all threads that play, and for stepping the tables. Not to be called during play.
  double busy_seconds() const { return pool_.busy_seconds(); }
  double environment_seconds() const;

  // All ranks take part. If a played iteration waits to be taken, saves the tables as they were before it, with its
  // task. Precondition: no play in progress.
  void save(TensorFile& file) const;
  // Loads the tables. Returns the task to start again, if a played iteration was waiting. iteration: the next one to
  // learn from. like: the player's layers. Throws CheckpointError.
  std::optional<PlayTask> load(const TensorFile& file, std::int64_t iteration, const PlayTask::Layers& like);

 private:
  std::int64_t sets() const { return settings_.overlap ? 2 : 1; }
  // Negative iterations use the tables of the first one.
  std::size_t set_of(std::int64_t iteration) const {
    return settings_.overlap && iteration > 0 ? static_cast<std::size_t>(iteration % 2) : 0;
  }
  // In WorkerTables every set of a worker counts as a worker, so that ranks and workers are equivalent.
  int number(int worker, std::size_t set) const { return worker * static_cast<int>(sets()) + static_cast<int>(set); }
  std::unique_ptr<Rollout> make_rollout(int worker, std::size_t set) const;
  void play_all();

  GamePtr game_;
  EncoderPtr encoder_;
  PolicySelfPlaySettings settings_;
  Ranks& ranks_;
  WorkerTables tables_;
  std::vector<std::vector<std::unique_ptr<Rollout>>> sets_;  // [sets][workers]
  std::vector<std::unique_ptr<Opponent>> opponents_;         // [workers] null: none
  std::vector<std::string> before_;                          // [workers] with overlap: the tables before the play
  PlayTask task_;
  bool playing_ = false;
  std::optional<RolloutCounts> played_;
  WorkerPool pool_;
  std::future<void> background_;  // destroyed first, which waits
};

}  // namespace dealer
