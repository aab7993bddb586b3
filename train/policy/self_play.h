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
  int workers = 2;          // threads, each with tables of its own
  bool overlap = false;     // play in the background, at two sets of tables in turn
  std::uint64_t seed = 1;   // of all tables; that of `rollout` is not used
  AgentFactoryPtr against;  // sits in the other seats of the league's tables; null: past selves, where there are any
  RolloutSettings rollout;
};

// What decides how an iteration is played, beside the tables.
struct PlayTask {
  using Layers = std::vector<PolicyNetwork::Layer>;

  Layers player;
  Layers past_self;                             // in the other seats of the league's tables; empty: nobody
  std::int64_t iteration = 0;                   // from 0, or below 0 for what is played before the first one
  double explore = 0;                           // share of the base policy, 0 to 1
  std::int64_t most_hands = Rollout::kNoLimit;  // of all ranks; every worker plays its share
};

// All rollouts of this rank and the threads that play them. One iteration at a time is played, and it waits until it is
// taken to be learned from.
//
// With `overlap` there are two sets of rollouts, for even and for odd iterations: while one is learned from, the other
// is played. One thread calls; what all ranks take part in is never called by another.
class PolicySelfPlay {
 public:
  PolicySelfPlay(GamePtr game, EncoderPtr encoder, const PolicySelfPlaySettings& settings, Ranks& ranks);

  // Plays the tables of that iteration, with `overlap` in the background until finish(). Precondition: nothing is being
  // played or waits to be taken.
  void start(PlayTask task);
  // Between start() and finish().
  bool playing() const { return playing_; }
  // Waits for what is being played. All ranks take part. Throws what a player has thrown, when all have stopped.
  void finish();
  // The same without the other ranks and without throwing, when the learner cannot go on.
  void abandon();

  // Whether an iteration has been played that nobody has taken.
  bool played() const { return played_.has_value(); }
  // Of all ranks. Precondition: played().
  const RolloutCounts& counts() const { return *played_; }
  void take() { played_.reset(); }
  // What was started last.
  const PlayTask& task() const { return task_; }

  // [workers] Those of an iteration. They may be read unless they are being played.
  std::span<const std::unique_ptr<Rollout>> rollouts(std::int64_t iteration) const { return sets_[set_of(iteration)]; }

  // Of all ranks, now and at most since the run began.
  std::int64_t workers() const { return tables_.workers() / sets(); }
  std::int64_t most_workers() const { return tables_.most_workers() / sets(); }
  // Processor time spent so far: by all threads that play, and in stepping the tables. Not while they play.
  double busy_seconds() const { return pool_.busy_seconds(); }
  double environment_seconds() const;

  // All ranks take part. Of an iteration that waits to be taken the tables are kept as they were before, with its task.
  // Precondition: nothing is being played.
  void save(TensorFile& file) const;
  // The tables. Returns the task that has to be started again, if one waited to be taken. iteration: that which is
  // learned from next. like: the player's layers. Throws CheckpointError.
  std::optional<PlayTask> load(const TensorFile& file, std::int64_t iteration, const PlayTask::Layers& like);

 private:
  std::int64_t sets() const { return settings_.overlap ? 2 : 1; }
  // Iterations of before the first have the tables of that one.
  std::size_t set_of(std::int64_t iteration) const {
    return settings_.overlap && iteration > 0 ? static_cast<std::size_t>(iteration % 2) : 0;
  }
  // In WorkerTables every set of a worker counts as a worker, so that ranks and workers come to the same tables.
  int number(int worker, std::size_t set) const { return worker * static_cast<int>(sets()) + static_cast<int>(set); }
  std::unique_ptr<Rollout> make_rollout(int worker, std::size_t set) const;
  void play_all();

  GamePtr game_;
  EncoderPtr encoder_;
  PolicySelfPlaySettings settings_;
  Ranks& ranks_;
  WorkerTables tables_;
  std::vector<std::vector<std::unique_ptr<Rollout>>> sets_;  // [sets][workers]
  std::vector<std::unique_ptr<Opponent>> opponents_;         // [workers] null: nobody
  std::vector<std::string> before_;                          // [workers] with overlap: the tables before they played
  PlayTask task_;
  bool playing_ = false;
  std::optional<RolloutCounts> played_;
  WorkerPool pool_;
  std::future<void> background_;  // destroyed first: waits
};

}  // namespace dealer
