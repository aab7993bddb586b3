#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "env/core/random.h"

namespace dealer {

// Dense layers with ReLUs between them: weights [in, out] and biases in turn.
struct DenseNetwork {
  std::vector<std::string> names;
  std::vector<torch::Tensor> parameters;

  // widths: inputs, hidden sizes, outputs. He initialisation (He et al. 2015); the last layer is scaled by `last`.
  DenseNetwork(const std::string& prefix, const std::vector<int>& widths, double last, RandomStream& rng);

  torch::Tensor forward(torch::Tensor x) const;
  // Multiply-adds of one row, forward.
  double work() const;
};

// Adam (Kingma & Ba 2015) and an exponential moving average of the weights, in one pass over memory that several
// threads share. docs/results.md compares it with libtorch's.
class AdamEma {
 public:
  struct Settings {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double ema_decay = 0.999;
  };
  AdamEma(const DenseNetwork& network, const Settings& settings);

  // One update, in turn: begin(), then add_up() by every worker for its share of the weights, then step() by every
  // worker. gradients: by slice of the batch, each [parameters] and contiguous; they are added up in order into the
  // first. add_up() returns the squared norm of its share of the sum.
  void begin() { ++updates_; }
  double add_up(std::vector<std::vector<torch::Tensor>>& gradients, int worker, int workers) const;
  // The sum is multiplied by `scale` before.
  void step(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale, int worker, int workers);
  const std::vector<torch::Tensor>& averages() const { return averages_; }

  void save(const std::string& prefix, TensorFile& file) const;
  void load(const std::string& prefix, const TensorFile& file);

 private:
  Settings settings_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_, averages_, first_, second_;
  std::int64_t updates_ = 0;
};

std::vector<float> values_of(const torch::Tensor& tensor);

}  // namespace dealer
