#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/core/config.h"
#include "env/core/worker_pool.h"
#include "train/afterstate/td_learner.h"
#include "train/ranks.h"
#include "train/trainer.h"
#include "train/worker_tables.h"

namespace dealer {

// The keys of a training config that learners of afterstate values have in common.
struct AfterstateSettings {
  std::uint64_t seed = 1;
  std::int64_t hands = 1'000'000;
  std::string start;  // a model of the game, whose network is learned on; empty: random weights
  int workers = 2;
  int tables = 128;                    // of a worker
  int turns_per_iteration = 100;       // of every table, between updates
  double lambda = 0.7;                 // of TD(lambda)
  double epsilon = 0.1;                // share of decisions that are drawn from the softmax of the values ...
  double final_epsilon = 0.1;          // ... at the end: it falls in a straight line
  double temperature = 1;              // of that softmax, in points
  std::vector<std::string> opponents;  // specs of agents that do not learn
  double opponent_share = 0;           // of the tables, where one of them has all seats but the learner's
  TdLearnerSettings learner;
  int batch = 1024;
  int epochs = 2;  // passes over the samples of an iteration
  double learning_rate = 1e-3, final_learning_rate = 3e-5;
};
// self_play, learner: the sections of those names, which the caller finishes. Defaults are those of `settings`.
void read_settings(Config& config, Config& self_play, Config& learner, AfterstateSettings& settings);

// Figures of the iterations since they were last taken.
struct AfterstateFigures {
  TdLosses losses{};
  std::int64_t updates = 0, hands = 0;
  double act_seconds = 0, learn_seconds = 0;  // of this rank
  double dense_work = 0;                      // multiply-adds in matrix products
  double learning_rate = 0;                   // of the last iteration
};

// One worker's part of an iteration.
struct AfterstatePlay {
  std::int64_t hands = 0, evaluations = 0;
};

// Temporal-difference self-play on afterstates (Sutton & Barto, 2nd ed., 6.8 and 12.1): the game's own self-play turns
// hands into samples, which the network is fitted to. An iteration plays every table some turns with the averaged
// weights (which so serve as the target network), then fits the newest weights to the samples that came out.
class AfterstateTrainer : public Trainer {
 public:
  void begin() final;
  void iterate() final;
  std::int64_t hands() const final { return hands_; }
  std::int64_t hands_to_play() const final { return settings_.hands; }
  void set_hands_to_play(std::int64_t hands) final { settings_.hands = hands; }
  std::int64_t iterations() const final { return iterations_; }
  // In a straight line from the first to the last share of exploration.
  double epsilon() const;
  // Cosine from the first to the last rate.
  double learning_rate() const;
  double memory() const final { return memory_; }
  AfterstateFigures take_figures() { return std::exchange(figures_, {}); }
  TrainerReport take_report() final;
  TensorFile save() const final;
  void load(const TensorFile& file) final;

 protected:
  // longest_hand: turns of a table. table_bytes: of a table and its hand in progress; turn_bytes: of the samples that a
  // turn makes at most. Throws UsageError where the machine has not so much memory.
  AfterstateTrainer(const AfterstateSettings& settings, int longest_hand, std::size_t table_bytes,
                    std::size_t turn_bytes, Ranks& ranks);

  Ranks& ranks() const { return ranks_; }
  std::uint64_t worker_seed(int worker) const { return tables_.seed(worker); }
  // The averaged weights so far: what the first model plays with.
  SparseNet weights() const { return learner_.weights(true); }

  // Plays the worker's tables some turns. Called by many workers at once.
  virtual AfterstatePlay play(int worker, int turns) = 0;
  // What the worker's last play() has brought.
  virtual std::vector<TdSample>& samples(int worker) = 0;
  // Between playing and fitting: what is learned from hands besides the network. All ranks take part.
  virtual void after_play() {}
  // Reads the network of a model, and takes over what else was learned with it. Throws CheckpointError.
  virtual SparseNet start_from(const TensorFile& model) = 0;
  // Takes over the newest averaged weights.
  virtual void set_weights(SparseNet net) = 0;
  // Metrics and figures of its own since they were last taken; those of the learner are added before and after.
  virtual void add_report(TrainerReport& report) = 0;

  // The worker's tables and hands in progress.
  virtual std::string save_tables(int worker) const = 0;
  // Throws CheckpointError. Empty: the worker begins with new tables.
  virtual void load_tables(int worker, const std::string& bytes) = 0;
  // What there is besides network, tables and progress.
  virtual void save_more(TensorFile& file) const = 0;
  virtual void load_more(const TensorFile& file) = 0;

  static constexpr const char* kProgress = "trainer.progress";
  // Counted by after_play(), kept with the progress.
  std::int64_t seen_ = 0;

  // Throws CheckpointError where `number` is not within the bounds that settings and progress leave.
  static void check_number(const TensorFile& file, const char* tensor, std::int64_t number, double low, double high);

 private:
  double progress() const;  // 0 to 1
  int turns_to_play() const;
  void learn();
  void check_progress(const TensorFile& file, const std::vector<std::int64_t>& progress) const;

  AfterstateSettings settings_;
  int longest_hand_;
  double memory_;
  Ranks& ranks_;
  WorkerTables tables_;
  TdLearner learner_;
  double play_work_;  // multiply-adds of an evaluation
  std::int64_t hands_ = 0, iterations_ = 0;
  AfterstateFigures figures_;
  WorkerPool pool_;
};

}  // namespace dealer
