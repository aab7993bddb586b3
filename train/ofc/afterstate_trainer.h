#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "agents/ofc/value_model.h"
#include "env/core/config.h"
#include "env/core/worker_pool.h"
#include "train/ofc/self_play.h"
#include "train/ofc/td_learner.h"

namespace dealer::ofc {

// The keys of a training config of algorithm `afterstate_td`.
struct TrainerSettings {
  std::uint64_t seed = 1;
  std::int64_t hands = 1'000'000;
  int workers = 2;
  int turns_per_iteration = 100;  // of every table, between updates
  SelfPlaySettings self_play;
  TdLearnerSettings learner;
  int batch = 1024;
  int epochs = 2;  // passes over the samples of an iteration
  double learning_rate = 1e-3;
  double final_learning_rate = 3e-5;
  double chain_rate = 2e-3;  // least step size of the chain values
  double caution = 0;        // of the finished player, see ValueModel
};
TrainerSettings read_settings(Config& config);

// Figures of the iterations since they were last taken.
struct TrainerFigures {
  SelfPlayCounts counts;
  Losses losses;
  std::int64_t updates = 0;
  double act_seconds = 0, learn_seconds = 0;
  double dense_work = 0;  // multiply-adds in matrix products
};

// Temporal-difference self-play on afterstates. An iteration plays every table some turns with the averaged weights
// (which so serve as the target network), then fits the newest weights to the samples that came out. Everything that
// decides the future can be saved; what comes after load() equals what would have come without.
class AfterstateTrainer {
 public:
  AfterstateTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings);

  void iterate();
  bool done() const { return hands_ >= settings_.hands; }
  std::int64_t hands() const { return hands_; }
  std::int64_t iterations() const { return iterations_; }
  double learning_rate() const;
  const ValueModel& model() const { return model_; }
  TrainerFigures take_figures();

  // The model as agents load it, with the rules it was trained for.
  TensorFile save_model() const;
  // And the state of the job.
  TensorFile save() const;
  // Throws CheckpointError when the file belongs to other settings.
  void load(const TensorFile& file);

 private:
  // Throws CheckpointError.
  void check_progress(const std::string& file, const std::vector<std::int64_t>& progress,
                      const std::vector<std::int64_t>& counts) const;
  void play();
  void learn_chain_values();
  void sample_boards();
  void learn();

  std::shared_ptr<const Game> game_;
  TrainerSettings settings_;
  std::vector<std::unique_ptr<SelfPlay>> self_play_;
  TdLearner learner_;
  ValueModel model_;
  RowValues rows_;
  std::array<std::int64_t, 8> chain_counts_{};
  std::int64_t hands_ = 0, iterations_ = 0, boards_seen_ = 0;
  TrainerFigures figures_;
  WorkerPool pool_;
};

}  // namespace dealer::ofc
