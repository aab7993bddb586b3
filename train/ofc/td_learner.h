#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/ofc/value_model.h"
#include "train/compute.h"
#include "train/ofc/self_play.h"
#include "train/ranks.h"

namespace dealer::ofc {

struct TdLearnerSettings {
  std::vector<int> hidden_sizes = {256, 32};  // of the sparse layer and the dense ones
  double beta1 = 0.9, beta2 = 0.999;          // of Adam (Kingma & Ba 2015)
  double auxiliary_weight = 0.05;             // of the losses beside the stake: fouls, Fantasyland, the other's share
  double ema_decay = 0.999;                   // of the averaged weights, an update
  int workers = 2;                            // threads that share a batch
  std::uint64_t seed = 1;
  Device device = Device::kCpu;
};

struct Losses {
  double value = 0;                  // mean squared error, in points squared
  double foul = 0, fantasyland = 0;  // mean cross-entropy
  void add(const Losses& other) {
    value += other.value;
    foul += other.foul;
    fantasyland += other.fantasyland;
  }
};

// Fits the value network to samples with libtorch. A batch is cut into one slice a worker, of all ranks; the slices'
// gradients are added in a fixed order, so that results do not depend on timing.
class TdLearner {
 public:
  explicit TdLearner(const TdLearnerSettings& settings, Ranks& ranks = single_rank());
  ~TdLearner();

  // One Adam step on the mean loss of a batch of `whole` samples, of which these are the rank's own. All ranks take
  // part; the losses are the own samples' part. Throws DivergenceError, and changes no weight, where a loss is not
  // finite.
  Losses update(std::span<const Sample* const> samples, std::size_t whole, double learning_rate);
  Losses update(std::span<const Sample* const> batch, double learning_rate) {
    return update(batch, batch.size(), learning_rate);
  }
  // Loss and gradient of the first worker's slice alone, all parameters in one row: for tests.
  std::vector<double> gradient(std::span<const Sample* const> batch, double* loss);

  // The weights for play: as they are, or averaged over the updates.
  void export_to(ValueNet& net, bool averaged) const;
  // libtorch's own forward pass, raw outputs [batch, kOutputs]: for tests against ValueNet.
  std::vector<float> forward(std::span<const Sample* const> batch) const;

  // Weights, averages, moments of Adam and the number of updates.
  void save(TensorFile& file) const;
  // Throws CheckpointError when something is missing or of another shape.
  void load(const TensorFile& file);

  std::int64_t updates() const;
  // Of the current weights; differs where a bit does.
  std::uint32_t checksum() const;
  // Multiply-adds of the dense layers for one sample, forward and backward.
  double dense_work() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dealer::ofc
