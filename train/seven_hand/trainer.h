#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "train/afterstate/afterstate_trainer.h"
#include "train/afterstate/opponents.h"
#include "train/seven_hand/self_play.h"

namespace dealer::seven_hand {

// The training config keys of algorithm `afterstate_td` for 7-Hand Poker.
struct TrainerSettings : AfterstateSettings {};
TrainerSettings read_settings(Config& config);

// Learns values of positions after whole turns.
class SevenHandTrainer final : public AfterstateTrainer {
 public:
  SevenHandTrainer(std::shared_ptr<const Game> game, const TrainerSettings& settings, Ranks& ranks = single_rank());

  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override;
  TensorFile save_model() const override;

 private:
  AfterstatePlay play(int worker, int turns) override;
  std::vector<TdSample>& samples(int worker) override {
    return self_play_[static_cast<std::size_t>(worker)]->samples();
  }
  void after_play() override;
  SparseNet start_from(const TensorFile& model) override;
  void set_weights(SparseNet net) override { model_.net = std::move(net); }
  void add_report(TrainerReport& report) override;
  std::string save_tables(int worker) const override { return self_play_[static_cast<std::size_t>(worker)]->save(); }
  void load_tables(int worker, const std::string& bytes) override;
  void save_more(TensorFile&) const override {}
  void load_more(const TensorFile&) override {}

  std::unique_ptr<SelfPlay> make_self_play(int worker) const;

  std::shared_ptr<const Game> game_;
  TrainerSettings settings_;
  OpponentSettings opponents_;
  std::vector<std::unique_ptr<SelfPlay>> self_play_;
  ValueModel model_;
  LaidCounts counts_;  // since they were last taken
};

}  // namespace dealer::seven_hand
