#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/policy/policy_network.h"
#include "train/compute.h"
#include "train/policy/base_policy.h"
#include "train/policy/loss_gradient.h"
#include "train/policy/rollout.h"
#include "train/ranks.h"

namespace dealer {

struct PolicyLearnerSettings {
  std::vector<int> hidden_sizes = {256, 256};         // of the player
  std::vector<int> critic_hidden_sizes = {256, 256};  // of the critic
  bool action_values = false;                         // the critic values each action (Q), not only the position
  PolicyGradient gradient = PolicyGradient::kPpo;     // all but kPpo need action_values
  double correction = 1;    // all but kPpo: weight of the played action's return beyond its value
  double logit_limit = 10;  // with kNeurd: logits are not pushed beyond it
  double max_gradient_norm = 1;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  // of Adam
  double ema_decay = 0.999;                           // of the shipped weights, per update
  double critic_ema_decay = 0;                        // of the critic weights used for evaluation; 0: the newest
  bool magnet = false;                                // there is a magnet
  BasePolicy base;                                    // the policy that entropy regularises towards
  int workers = 2;                                    // threads that share a batch
  std::uint64_t seed = 1;
  Device device = Device::kCpu;
  bool bfloat16 = false;  // hidden layers in training; see DenseNetwork
};

// Coefficients that change during a training.
struct PolicyRates {
  double learning_rate = 1e-3, critic_learning_rate = 1e-3;
  double entropy = 0, magnet = 0, proximal = 0, value = 0;
  double explore = 0;  // in self-play
  double clip = 0.2;   // of PPO
};

struct PolicyLosses {
  double policy = 0, entropy = 0, magnet = 0, proximal = 0, value = 0, critic = 0, gradient_norm = 0;
  std::int64_t updates = 0;
  void add(const PolicyLosses& other);
  // Throws DivergenceError naming the first term that is not finite.
  void expect_finite(std::int64_t update) const;
};

// Outputs of critic and magnet for the rows of a rollout, in units of the learner; see evaluate().
struct RolloutValues {
  std::vector<float> value;    // [rows]
  std::vector<float> actions;  // [rows, actions] with action_values
  std::vector<float> magnet;   // [rows, actions] log of its probabilities, with a magnet
  std::vector<float> target;   // [rows] lambda-returns
};

// A row of a rollout to learn from.
struct PolicySample {
  const Rollout* rollout;
  const RolloutValues* values;
  std::int32_t row;
};

// Fits a player and its critic with libtorch. A batch is cut into one slice per worker, across all ranks; the slices'
// gradients are added in a fixed order, so that results do not depend on timing.
class PolicyLearner {
 public:
  enum class Weights { kCurrent, kAveraged, kMagnet };

  PolicyLearner(const PolicyLearnerSettings& settings, int inputs, int critic_inputs, int actions, Ranks& ranks);
  ~PolicyLearner();

  // Computes value, action values and magnet of all rows that learn. `worker`: of this learner; each may run in its own
  // thread, for its own rollout.
  void evaluate(int worker, const Rollout& rollout, RolloutValues& values);
  // One Adam step, for the player and for the critic, on the mean loss of a batch of `whole` samples across ranks, of
  // which these are the rank's own. All ranks take part; the returned losses cover the own samples. Throws
  // DivergenceError if a gradient or a loss is not finite; the weights are then unusable.
  PolicyLosses update(std::span<const PolicySample> samples, std::size_t whole, const PolicyRates& rates);
  // Moves the magnet towards the current weights by this fraction; 1 copies them.
  void move_magnet(double share);

  std::vector<PolicyNetwork::Layer> layers(Weights which) const;
  // Initialises the player, its average and the magnet with these weights. Precondition: layers of the same widths.
  void start_from(const std::vector<PolicyNetwork::Layer>& layers);
  // Multiply-adds per sample, forward and backward, player and critic.
  double work() const;

  // Processor time spent so far by its threads, summed over them.
  double busy_seconds() const;

  // Checksum of the current weights; differs if a bit does.
  std::uint32_t checksum() const;
  void save(TensorFile& file) const;
  // Throws CheckpointError when something is missing or of another shape.
  void load(const TensorFile& file);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dealer
