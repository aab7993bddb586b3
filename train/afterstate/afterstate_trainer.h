#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/core/config.h"
#include "env/core/worker_pool.h"
#include "train/afterstate/td_learner.h"
#include "train/ranks.h"
#include "train/schedule.h"
#include "train/trainer.h"
#include "train/worker_tables.h"

namespace dealer {

// The training config keys shared by all afterstate learners.
struct AfterstateSettings {
  std::uint64_t seed = 1;
  std::int64_t hands = 1'000'000;
  std::string start;  // a model of the game whose network is trained further; empty: random weights
  int workers = 2;
  int tables = 128;                    // tables per worker
  int turns_per_iteration = 100;       // turns per table between updates
  double lambda = 0.7;                 // of TD(lambda)
  double epsilon = 0.1;                // share of decisions drawn from the softmax of the values ...
  double final_epsilon = 0.1;          // ... at the end: it falls linearly
  double temperature = 1;              // of that softmax, in points
  std::vector<std::string> opponents;  // specs of fixed agents
  double opponent_share = 0;           // share of the tables at which one of them has all seats but the learner's
  TdLearnerSettings learner;
  int batch = 1024;
  int epochs = 2;  // passes over the samples of an iteration
  double learning_rate = 1e-3, final_learning_rate = 3e-5;
  // The learner has something to learn besides the weights: with a start they may stay as they are.
  bool weights_may_stay = false;
  bool weights_stay() const { return learning_rate == 0 && final_learning_rate == 0; }
};
// self_play, learner: the sections of those names; the caller calls finish(). Defaults are those of `settings`.
void read_settings(Config& config, Config& self_play, Config& learner, AfterstateSettings& settings);

// Counters of the iterations since they were last taken.
struct AfterstateFigures {
  TdLosses losses{};
  std::int64_t updates = 0, hands = 0;
  double act_seconds = 0, learn_seconds = 0;  // seconds of this rank
  double dense_work = 0;                      // multiply-adds in matrix products
  double learning_rate = 0;                   // of the last iteration
};

// One worker's share of an iteration.
struct AfterstatePlay {
  std::int64_t hands = 0, evaluations = 0;
};

// Temporal-difference self-play on afterstates (Sutton & Barto, 2nd ed., 6.8 and 12.1): the game's own self-play turns
// hands into samples, to which the network is fitted. An iteration plays some turns at every table with the averaged
// weights (which thus serve as the target network), then fits the newest weights to the resulting samples.
class AfterstateTrainer : public Trainer {
 public:
  void begin() final;
  void iterate() final;
  std::int64_t hands() const final { return hands_; }
  std::int64_t hands_to_play() const final { return settings_.hands; }
  void set_hands_to_play(std::int64_t hands) final { settings_.hands = hands; }
  std::int64_t iterations() const final { return iterations_; }
  // Exploration rate, falling linearly from the first to the last value.
  double epsilon() const { return now(settings_.epsilon, settings_.final_epsilon, Schedule::Shape::kLinear); }
  // Learning rate, falling along a cosine from the first to the last value.
  double learning_rate() const {
    return now(settings_.learning_rate, settings_.final_learning_rate, Schedule::Shape::kCosine);
  }
  double memory() const final { return memory_; }
  AfterstateFigures take_figures() { return std::exchange(figures_, {}); }
  TrainerReport take_report() final;
  TensorFile save() const final;
  void load(const TensorFile& file) final;

 protected:
  // longest_hand: turns of a table. table_bytes: memory of a table with its hand in progress; turn_bytes: of the
  // samples of a turn at most. Throws UsageError if the machine has too little memory.
  AfterstateTrainer(const AfterstateSettings& settings, int longest_hand, std::size_t table_bytes,
                    std::size_t turn_bytes, Ranks& ranks);

  Ranks& ranks() const { return ranks_; }
  std::uint64_t worker_seed(int worker) const { return tables_.seed(worker); }
  // The averaged weights so far, used by the first model.
  SparseNet weights() const { return learner_.weights(true); }

  // Plays some turns at the worker's tables. Called by many workers at once.
  virtual AfterstatePlay play(int worker, int turns) = 0;
  // The samples of the worker's last play().
  virtual std::vector<TdSample>& samples(int worker) = 0;
  // Between playing and fitting: learning other than the network's. All ranks take part.
  virtual void after_play() {}
  // Reads the network of a model and everything else learned with it. Throws CheckpointError.
  virtual SparseNet start_from(const TensorFile& model) = 0;
  // Copies the newest averaged weights.
  virtual void set_weights(SparseNet net) = 0;
  // Additional metrics and timings since they were last taken; those of the learner are added before and after.
  virtual void add_report(TrainerReport& report) = 0;

  // The worker's tables and hands in progress.
  virtual std::string save_tables(int worker) const = 0;
  // Throws CheckpointError. Empty: the worker begins with new tables.
  virtual void load_tables(int worker, const std::string& bytes) = 0;
  // State besides network, tables and progress.
  virtual void save_more(TensorFile& file) const = 0;
  virtual void load_more(const TensorFile& file) = 0;

  static constexpr const char* kProgress = "trainer.progress";
  // Counters updated by after_play() and saved with the progress.
  std::int64_t seen_ = 0;

  // Throws CheckpointError if `number` is outside the bounds set by settings and progress.
  static void check_number(const TensorFile& file, const char* tensor, std::int64_t number, double low, double high);

 private:
  double now(double first, double last, Schedule::Shape shape) const;
  int turns_to_play() const;
  void learn();
  void check_progress(const TensorFile& file, const std::vector<std::int64_t>& progress) const;

  AfterstateSettings settings_;
  int longest_hand_;
  double memory_;
  Ranks& ranks_;
  WorkerTables tables_;
  TdLearner learner_;
  double play_work_;  // multiply-adds of one evaluation
  std::int64_t hands_ = 0, iterations_ = 0;
  AfterstateFigures figures_;
  WorkerPool pool_;
};

// The algorithm `afterstate_td`. Throws UsageError for games other than OFC and 7-Hand Poker.
std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks);

}  // namespace dealer
