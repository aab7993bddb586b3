#pragma once

#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agents/nn/safetensors.h"
#include "env/core/random.h"

namespace dealer {

// Normally distributed numbers (Box-Muller), on the processor.
torch::Tensor normal_weights(std::int64_t in, std::int64_t out, double deviation, RandomStream& rng);

// Applies dense layers with ReLUs between them to x, by libtorch's operations: parameters from `first` on are weights
// [in, out] and biases alternating. bfloat16: all but the last layer.
torch::Tensor dense_forward(torch::Tensor x, const std::vector<torch::Tensor>& parameters, std::size_t first = 0,
                            bool bfloat16 = false);

// Dense layers with ReLUs between them: weights [in, out] and biases alternating.
struct DenseNetwork {
  std::vector<std::string> names;
  std::vector<torch::Tensor> parameters;
  // Hidden layers are computed in bfloat16, forward and backward; weights, their gradients and the last layer are
  // single precision (mixed precision, Micikevicius et al. 2018; bfloat16 needs no loss scale, Kalamkar et al. 2019).
  bool bfloat16 = false;

  // widths: inputs, hidden sizes, outputs. He initialisation (He et al. 2015); the last layer is scaled by `last`.
  DenseNetwork(const std::string& prefix, const std::vector<int>& widths, double last, RandomStream& rng,
               const torch::Device& device = torch::kCPU);

  torch::Tensor forward(const torch::Tensor& x) const { return dense_forward(x, parameters, 0, bfloat16); }
  // Multiply-adds per row, forward.
  double work() const;
};

// Adam (Kingma & Ba 2015) and an exponential moving average of the weights, in one pass over memory shared by several
// threads. docs/experiments/policy-gradient.md compares it with libtorch's.
class AdamEma {
 public:
  struct Settings {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double ema_decay = 0.999;
  };
  // The parameters are updated in place.
  AdamEma(std::vector<std::string> names, std::vector<torch::Tensor> parameters, const Settings& settings);

  // One update: begin(), then step() by every worker for its share of the weights. The gradient [parameters],
  // contiguous, is first multiplied by `scale`.
  void begin() { ++updates_; }
  void step(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale, int worker, int workers);
  // The same by libtorch's operations, for any device: begin() and all of step().
  void update(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale);
  const std::vector<torch::Tensor>& averages() const { return averages_; }
  std::int64_t updates() const { return updates_; }

  void save(const std::string& prefix, TensorFile& file) const;
  void load(const std::string& prefix, const TensorFile& file);

 private:
  double decay() const;
  // The numbers that are saved for each parameter, by kind.
  std::array<std::pair<const char*, const std::vector<torch::Tensor>*>, 4> kinds() const {
    return {
        {{".weights.", &parameters_}, {".averages.", &averages_}, {".moments1.", &first_}, {".moments2.", &second_}}};
  }

  Settings settings_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_, averages_, first_, second_;
  std::int64_t updates_ = 0;
};

// Checksum of all their bytes.
std::uint32_t weights_checksum(const std::vector<torch::Tensor>& tensors);
// Copies from and to any device.
std::vector<float> values_of(const torch::Tensor& tensor);
void set_values(const torch::Tensor& tensor, const std::vector<float>& values);

}  // namespace dealer
