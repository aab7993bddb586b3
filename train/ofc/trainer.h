#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/ofc/value_model.h"
#include "train/afterstate/afterstate_trainer.h"
#include "train/ofc/self_play.h"

namespace dealer::ofc {

// The training config keys of algorithm `afterstate_td` for OFC.
struct TrainerSettings : AfterstateSettings {
  TrainerSettings();
  SelfPlaySettings self_play;
  double auxiliary_weight = 0.05;  // weight of the auxiliary losses: fouls, Fantasyland, the opponent's share
  double chain_rate = 2e-3;        // smallest step size of the chain values
  double caution = 0;              // foul aversion of the finished player, see ValueModel
};
TrainerSettings read_settings(Config& config);
// The inputs and outputs of the OFC network, and their losses.
TdLearnerSettings learner_settings(TdLearnerSettings settings, double auxiliary_weight, bool fantasyland_inputs);

// Besides the network it learns the value of Fantasyland and keeps a sample of final boards.
class OfcTrainer final : public AfterstateTrainer {
 public:
  // Throws UsageError for matches, which it does not support.
  OfcTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks = single_rank());

  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override;
  nlohmann::json result() const override;
  std::string summary() const override;
  TensorFile save_model() const override;

 private:
  AfterstatePlay play(int worker, int turns) override;
  std::vector<TdSample>& samples(int worker) override {
    return self_play_[static_cast<std::size_t>(worker)]->samples();
  }
  void after_play() override;
  SparseNet start_from(const TensorFile& model) override;
  void set_weights(SparseNet net) override { model_.net = ValueNet(std::move(net)); }
  void add_report(TrainerReport& report) override;
  std::string save_tables(int worker) const override;
  void load_tables(int worker, const std::string& bytes) override;
  void save_more(TensorFile& file) const override;
  void load_more(const TensorFile& file) override;

  std::unique_ptr<SelfPlay> make_self_play(int worker) const;
  std::vector<std::int64_t> load_chain_counts(const TensorFile& file) const;
  // The value of Fantasyland after such a front, averaged over who deals.
  double fantasyland_value(FantasylandAfter after) const;
  void learn_chain_values();
  void sample_boards();

  std::shared_ptr<const Game> game_;
  TrainerSettings settings_;
  std::vector<std::unique_ptr<SelfPlay>> self_play_;
  ValueModel model_;
  RowValues rows_;
  std::array<std::int64_t, ChainValues::kSize> chain_counts_{};
  SelfPlayCounts counts_;  // since they were last taken
};

}  // namespace dealer::ofc
