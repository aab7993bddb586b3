#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/nn/sparse_net.h"
#include "train/compute.h"
#include "train/ranks.h"

namespace dealer {

// One afterstate and its outcome.
struct TdSample {
  static constexpr std::size_t kMostOutputs = 4;
  ActiveFeatures<128> list;
  // Targets, one per output, in the unit of the network: the return, or 1 if the event happened.
  std::array<float, kMostOutputs> target{};
};

// One output of the network and its loss.
struct TdOutput {
  std::string name;          // name of its loss in metrics: "value"
  bool probability = false;  // fitted as a logit by cross-entropy, otherwise by the squared error
  double weight = 1;         // of its loss
  float unit = 1;            // points per unit of the output; 1 for probabilities
};

struct TdLearnerSettings {
  int features = 0;
  double usually_active = 70;                 // features active in a typical position: scales the initial weights
  std::vector<TdOutput> outputs;              // at most TdSample::kMostOutputs
  std::vector<int> hidden_sizes = {256, 32};  // of the sparse layer and the dense ones
  Stacks stacks = {};                         // of dense layers
  double beta1 = 0.9, beta2 = 0.999;          // of Adam (Kingma & Ba 2015)
  double ema_decay = 0.999;                   // of the averaged weights, an update
  int workers = 2;                            // threads that share a batch
  std::uint64_t seed = 1;
  Device device = Device::kCpu;
};

// Mean losses, one per output: squared errors in points squared, cross-entropies.
using TdLosses = std::array<double, TdSample::kMostOutputs>;

// Fits a network of sparse features to samples with libtorch. A batch is cut into one slice per worker, across all
// ranks; the slices' gradients are added in a fixed order, so that results do not depend on timing.
class TdLearner {
 public:
  explicit TdLearner(const TdLearnerSettings& settings, Ranks& ranks = single_rank());
  ~TdLearner();

  // One Adam step on the mean loss of a batch of `whole` samples across ranks, of which these are the rank's own. All
  // ranks take part; the returned losses cover the own samples. Throws DivergenceError, and changes no weight, if a
  // loss is not finite.
  TdLosses update(std::span<const TdSample* const> samples, std::size_t whole, double learning_rate);
  TdLosses update(std::span<const TdSample* const> batch, double learning_rate) {
    return update(batch, batch.size(), learning_rate);
  }
  // Loss and gradient of the first worker's slice alone, all parameters in one vector: for tests.
  std::vector<double> gradient(std::span<const TdSample* const> batch, double* loss);

  // The weights for play: the current ones, or averaged over the updates.
  SparseNet weights(bool averaged) const;
  // libtorch's own forward pass, raw outputs [batch, outputs]: for tests against SparseNet.
  std::vector<float> forward(std::span<const TdSample* const> batch) const;

  // Sets the weights and their averages from a network with as many layers, each at most as wide as the learner's: the
  // new units change no output at first. One stack is copied to several.
  void start_from(const SparseNet& net);

  // Saves weights, averages, Adam's moments and the number of updates.
  void save(TensorFile& file) const;
  // Throws CheckpointError when something is missing or of another shape.
  void load(const TensorFile& file);

  std::int64_t updates() const;
  // Checksum of the current weights; differs if a bit does.
  std::uint32_t checksum() const;
  // Multiply-adds of the dense layers per sample, forward and backward.
  double dense_work() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dealer
