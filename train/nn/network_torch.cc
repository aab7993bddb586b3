#include "train/nn/network_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/core/error.h"

namespace dealer {

DenseNetwork::DenseNetwork(const std::string& prefix, const std::vector<int>& widths, double last, RandomStream& rng) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const double deviation = std::sqrt(2.0 / widths[i]) * (i + 2 == widths.size() ? last : 1);
    torch::Tensor weight = torch::empty({widths[i], widths[i + 1]});
    for (std::int64_t k = 0; k < weight.numel(); ++k) {
      // Box-Muller
      const double u = 1 - static_cast<double>(rng.uniform()), v = static_cast<double>(rng.uniform());
      weight.data_ptr<float>()[k] =
          static_cast<float>(deviation * std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v));
    }
    names.push_back(fmt::format("{}.{}.weight", prefix, i));
    parameters.push_back(weight.requires_grad_());
    names.push_back(fmt::format("{}.{}.bias", prefix, i));
    parameters.push_back(torch::zeros({widths[i + 1]}).requires_grad_());
  }
}

torch::Tensor DenseNetwork::forward(torch::Tensor x) const {
  for (std::size_t i = 0; i < parameters.size(); i += 2)
    x = torch::addmm(parameters[i + 1], i == 0 ? x : torch::relu(x), parameters[i]);
  return x;
}

double DenseNetwork::work() const {
  double work = 0;
  for (std::size_t i = 0; i < parameters.size(); i += 2) work += static_cast<double>(parameters[i].numel());
  return work;
}

AdamEma::AdamEma(const DenseNetwork& network, const Settings& settings)
    : settings_(settings), names_(network.names), parameters_(network.parameters) {
  for (const torch::Tensor& parameter : parameters_) {
    averages_.push_back(parameter.detach().clone());
    first_.push_back(torch::zeros_like(parameter));
    second_.push_back(torch::zeros_like(parameter));
  }
}

double AdamEma::add_up(std::vector<std::vector<torch::Tensor>>& gradients, int worker, int workers) const {
  double squared = 0;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::int64_t n = parameters_[p].numel(), begin = n * worker / workers, end = n * (worker + 1) / workers;
    float* __restrict total = gradients[0][p].data_ptr<float>();
    for (std::size_t other = 1; other < gradients.size(); ++other) {
      const float* __restrict g = gradients[other][p].data_ptr<float>();
      for (std::int64_t i = begin; i < end; ++i) total[i] += g[i];
    }
    for (std::int64_t i = begin; i < end; ++i) squared += static_cast<double>(total[i]) * static_cast<double>(total[i]);
  }
  return squared;
}

void AdamEma::step(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale, int worker,
                   int workers) {
  const auto done = static_cast<double>(updates_);
  const double c1 = 1 - std::pow(settings_.beta1, done), c2 = 1 - std::pow(settings_.beta2, done);
  const auto b1 = static_cast<float>(settings_.beta1), b2 = static_cast<float>(settings_.beta2);
  const auto rate = static_cast<float>(learning_rate / c1), root = static_cast<float>(1 / c2);
  const auto epsilon = static_cast<float>(settings_.epsilon), factor = static_cast<float>(scale);
  // Early averages would be full of the random start.
  const auto decay = static_cast<float>(std::min(settings_.ema_decay, done / (done + 9)));
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::int64_t n = parameters_[p].numel(), begin = n * worker / workers, end = n * (worker + 1) / workers;
    float* __restrict w = parameters_[p].data_ptr<float>();
    float* __restrict m = first_[p].data_ptr<float>();
    float* __restrict v = second_[p].data_ptr<float>();
    float* __restrict mean = averages_[p].data_ptr<float>();
    const float* __restrict total = gradient[p].data_ptr<float>();
    for (std::int64_t i = begin; i < end; ++i) {
      const float g = factor * total[i];
      m[i] = b1 * m[i] + (1 - b1) * g;
      v[i] = b2 * v[i] + (1 - b2) * g * g;
      w[i] -= rate * m[i] / (std::sqrt(v[i] * root) + epsilon);
      mean[i] = decay * mean[i] + (1 - decay) * w[i];
    }
  }
}

void AdamEma::save(const std::string& prefix, TensorFile& file) const {
  for (std::size_t p = 0; p < names_.size(); ++p) {
    const auto shape = parameters_[p].sizes().vec();
    for (const auto& [kind, list] : {std::pair(".weights.", &parameters_), std::pair(".averages.", &averages_),
                                     std::pair(".moments1.", &first_), std::pair(".moments2.", &second_)})
      file.tensors[prefix + kind + names_[p]] = {shape, values_of((*list)[p])};
  }
  file.tensors[prefix + ".updates"] = {{1}, std::vector<std::int64_t>{updates_}};
}

void AdamEma::load(const std::string& prefix, const TensorFile& file) {
  for (std::size_t p = 0; p < names_.size(); ++p) {
    const auto shape = parameters_[p].sizes().vec();
    for (const auto& [kind, list] : {std::pair(".weights.", &parameters_), std::pair(".averages.", &averages_),
                                     std::pair(".moments1.", &first_), std::pair(".moments2.", &second_)}) {
      const std::vector<float>& values = file.get<float>(prefix + kind + names_[p], shape);
      if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
        throw CheckpointError(
            fmt::format("{}: tensor '{}{}{}' holds a number that is not finite", file.name, prefix, kind, names_[p]));
      std::memcpy((*list)[p].data_ptr<float>(), values.data(), values.size() * sizeof(float));
    }
  }
  updates_ = file.get<std::int64_t>(prefix + ".updates", {1})[0];
  if (updates_ < 0)
    throw CheckpointError(
        fmt::format("{}: tensor '{}.updates' holds {}; expected 0 or more", file.name, prefix, updates_));
}

std::vector<float> values_of(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.detach().contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

}  // namespace dealer
