#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/core/worker_pool.h"
#include "train/policy/league.h"
#include "train/policy/policy_learner.h"
#include "train/policy/rollout.h"
#include "train/policy/self_play.h"
#include "train/ranks.h"
#include "train/schedule.h"
#include "train/trainer.h"

namespace dealer {

// The training config keys of algorithm `ppo`.
struct PolicyTrainerSettings {
  std::uint64_t seed = 1;
  std::int64_t hands = 1'000'000;
  int workers = 2;
  bool input_features = true;  // the network gets the input features
  double threshold = 0;        // of the agent, not of self-play: actions below this probability are not played
  bool overlap = false;        // the next iteration is played while one is learned from
  RolloutSettings rollout;
  PolicyLearnerSettings learner;
  LeagueSettings league;
  std::vector<std::string> start;  // models whose mean weights initialise the player; empty: random weights
  std::string against;             // an agent in all seats but the learner's; empty: self-play
  int batch = 2048;
  int epochs = 4;  // passes over the decisions of an iteration
  double lambda = 0.95;
  double value_unit =
      0;  // unit of returns and coefficients, in the game's unit; 0: the spread of the first iteration's returns
  Schedule learning_rate = Schedule::constant(1e-3), critic_learning_rate = Schedule::constant(1e-3);
  Schedule clip = Schedule::constant(0.2);   // of PPO
  Schedule explore = Schedule::constant(0);  // share of the decisions that explore
  Schedule entropy = Schedule::constant(0.01), magnet = Schedule::constant(0), proximal = Schedule::constant(0);
  double value_weight = 0.25;
  double magnet_rate = 0.01;  // fraction by which the magnet moves per iteration
};
PolicyTrainerSettings read_policy_settings(Config& config, const Game& game);

// Time and work of iterations.
struct PolicyTrainerTimes {
  // Seconds of this rank, without double counting: for playing, only the time the learner waited, which with overlap is
  // not all of it.
  double playing = 0, evaluating = 0, learning = 0;
  // Processor time of its threads, summed over them; the rest of their time they waited.
  double environment = 0, inference = 0, critic = 0, gradients = 0;
  double work = 0;             // multiply-adds of matrix products
  std::int64_t decisions = 0;  // of learning seats
};

// Policy-gradient self-play: PPO (Schulman et al. 2017), or magnetic mirror descent (Sokota et al. 2023), for any game
// and number of players. An iteration plays some decisions at every table with the newest weights, evaluates them with
// the critic, and fits player and critic to the results. With overlap the next iteration is played while one is learned
// from: all but the first use weights that are one iteration old.
class PolicyTrainer final : public Trainer {
 public:
  PolicyTrainer(GamePtr game, const PolicyTrainerSettings& settings, Ranks& ranks = single_rank());

  void begin() override;
  void iterate() override;
  std::int64_t iterations() const override { return iterations_; }
  std::int64_t hands() const override { return hands_; }
  std::int64_t hands_to_play() const override { return settings_.hands; }
  void set_hands_to_play(std::int64_t hands) override { settings_.hands = hands; }
  double memory() const override { return memory_; }
  TrainerReport take_report() override;
  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override;
  nlohmann::json result() const override {
    return {{"decisions", times_.decisions}, {"precision", settings_.learner.bfloat16 ? "bfloat16" : "single"}};
  }
  std::string divergence_advice() const override {
    return "a smaller learner.learning_rate, critic.learning_rate or learner.max_gradient_norm, or a larger "
           "learner.value_unit";
  }
  TensorFile save_model() const override;
  TensorFile save() const override;
  void load(const TensorFile& file) override;

  const PolicyTrainerTimes& times() const { return times_; }
  const PolicySelfPlay& self_play() const { return self_play_; }

 private:
  PolicyNetwork network(PolicyLearner::Weights which) const;
  // Layers from a file of weights that fits this learner; `key`: the config key that names it. Throws ConfigError.
  std::vector<PolicyNetwork::Layer> read_layers(const std::string& key, const std::string& file) const;
  PolicyRates rates() const;
  // 0 to 1: share of the planned hands that have been learned from.
  double progress() const { return static_cast<double>(hands_) / static_cast<double>(settings_.hands); }
  // Throws UsageError if the machine has too little memory.
  static double expect_memory_for(const Game& game, const Encoder* encoder, const PolicyTrainerSettings& settings);
  // Plays with the newest weights.
  void start_playing(std::int64_t iteration);
  void finish_playing();
  void count_played();
  void measure_unit();
  void evaluate();
  void learn();
  void share_figures();

  GamePtr game_;
  PolicyTrainerSettings settings_;
  Ranks& ranks_;
  EncoderPtr encoder_;
  double memory_;
  std::vector<RolloutValues> values_;
  PolicyLearner learner_;
  League league_;
  double unit_;
  std::int64_t hands_ = 0, iterations_ = 0;
  RolloutCounts counts_;
  PolicyLosses losses_, iteration_losses_;  // of this rank in the iteration
  double iteration_work_ = 0, exchanged_ = 0;
  PolicyRates rates_;
  PolicyTrainerTimes times_, reported_;
  std::size_t met_ = 0;  // league member playing in the current iteration
  WorkerPool pool_;
  PolicySelfPlay self_play_;
};

// The algorithm `ppo`.
std::unique_ptr<Trainer> make_policy_trainer(Config& config, const GamePtr& game, Ranks& ranks = single_rank());

}  // namespace dealer
