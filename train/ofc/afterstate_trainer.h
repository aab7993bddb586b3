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
#include "train/ranks.h"
#include "train/trainer.h"
#include "train/worker_tables.h"

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
  double act_seconds = 0, learn_seconds = 0;  // of this rank
  double dense_work = 0;                      // multiply-adds in matrix products
  double learning_rate = 0;                   // of the last iteration
};

// Temporal-difference self-play on afterstates. An iteration plays every table some turns with the averaged weights
// (which so serve as the target network), then fits the newest weights to the samples that came out.
class AfterstateTrainer final : public Trainer {
 public:
  // Throws UsageError for matches, which it does not learn.
  AfterstateTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks = single_rank());

  void iterate() override;
  std::int64_t hands() const override { return hands_; }
  std::int64_t hands_to_play() const override { return settings_.hands; }
  void set_hands_to_play(std::int64_t hands) override { settings_.hands = hands; }
  std::int64_t iterations() const override { return iterations_; }
  double learning_rate() const;
  const ValueModel& model() const { return model_; }
  TrainerFigures take_figures();
  TrainerReport take_report() override;
  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override;
  nlohmann::json result() const override;
  std::string summary() const override;

  TensorFile save_model() const override;
  TensorFile save() const override;
  void load(const TensorFile& file) override;

 private:
  // Throws CheckpointError.
  void check_progress(const std::string& file, const std::vector<std::int64_t>& progress,
                      const std::vector<std::int64_t>& counts) const;
  std::unique_ptr<SelfPlay> make_self_play(int worker) const;
  void play();
  void learn_chain_values();
  void sample_boards();
  void learn();

  std::shared_ptr<const Game> game_;
  TrainerSettings settings_;
  Ranks& ranks_;
  WorkerTables tables_;
  std::vector<std::unique_ptr<SelfPlay>> self_play_;
  TdLearner learner_;
  ValueModel model_;
  RowValues rows_;
  std::array<std::int64_t, 8> chain_counts_{};
  std::int64_t hands_ = 0, iterations_ = 0, boards_seen_ = 0;
  TrainerFigures figures_;
  double exchanged_ = 0;
  WorkerPool pool_;
};

// Of the algorithm `afterstate_td`. Throws UsageError for other games than OFC.
std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks);

}  // namespace dealer::ofc
