#include "train/nn/network_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/core/crc32c.h"
#include "env/core/error.h"

namespace dealer {

torch::Tensor normal_weights(std::int64_t in, std::int64_t out, double deviation, RandomStream& rng) {
  torch::Tensor weight = torch::empty({in, out});
  for (std::int64_t i = 0; i < weight.numel(); ++i) {
    const double u = 1 - static_cast<double>(rng.uniform()), v = static_cast<double>(rng.uniform());
    weight.data_ptr<float>()[i] = static_cast<float>(deviation * std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v));
  }
  return weight;
}

torch::Tensor dense_forward(torch::Tensor x, const std::vector<torch::Tensor>& parameters, std::size_t first,
                            bool bfloat16) {
  for (std::size_t i = first; i < parameters.size(); i += 2) {
    const auto type = bfloat16 && i + 2 < parameters.size() ? torch::kBFloat16 : torch::kFloat32;
    if (i > first) x = torch::relu(x);
    x = torch::addmm(parameters[i + 1].to(type), x.to(type), parameters[i].to(type));
  }
  return x;
}

DenseNetwork::DenseNetwork(const std::string& prefix, const std::vector<int>& widths, double last, RandomStream& rng,
                           const torch::Device& device) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const double deviation = std::sqrt(2.0 / widths[i]) * (i + 2 == widths.size() ? last : 1);
    names.push_back(fmt::format("{}.{}.weight", prefix, i));
    parameters.push_back(normal_weights(widths[i], widths[i + 1], deviation, rng).to(device).requires_grad_());
    names.push_back(fmt::format("{}.{}.bias", prefix, i));
    parameters.push_back(torch::zeros({widths[i + 1]}, device).requires_grad_());
  }
}

double DenseNetwork::work() const {
  double work = 0;
  for (std::size_t i = 0; i < parameters.size(); i += 2) work += static_cast<double>(parameters[i].numel());
  return work;
}

AdamEma::AdamEma(std::vector<std::string> names, std::vector<torch::Tensor> parameters, const Settings& settings)
    : settings_(settings), names_(std::move(names)), parameters_(std::move(parameters)) {
  for (const torch::Tensor& parameter : parameters_) {
    averages_.push_back(parameter.detach().clone());
    first_.push_back(torch::zeros_like(parameter));
    second_.push_back(torch::zeros_like(parameter));
  }
}

// Early averages would be dominated by the random start.
double AdamEma::decay() const {
  const auto done = static_cast<double>(updates_);
  return std::min(settings_.ema_decay, done / (done + 9));
}

void AdamEma::step(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale, int worker,
                   int workers) {
  const auto done = static_cast<double>(updates_);
  const double c1 = 1 - std::pow(settings_.beta1, done), c2 = 1 - std::pow(settings_.beta2, done);
  const auto b1 = static_cast<float>(settings_.beta1), b2 = static_cast<float>(settings_.beta2);
  const auto rate = static_cast<float>(learning_rate / c1), root = static_cast<float>(1 / c2);
  const auto epsilon = static_cast<float>(settings_.epsilon), factor = static_cast<float>(scale);
  const auto keep = static_cast<float>(decay());
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
      mean[i] = keep * mean[i] + (1 - keep) * w[i];
    }
  }
}

void AdamEma::update(const std::vector<torch::Tensor>& gradient, double learning_rate, double scale) {
  const torch::NoGradGuard no_gradient;
  begin();
  const auto done = static_cast<double>(updates_);
  const double c1 = 1 - std::pow(settings_.beta1, done), c2 = 1 - std::pow(settings_.beta2, done);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const torch::Tensor g = gradient[p] * scale;
    first_[p].mul_(settings_.beta1).add_(g, 1 - settings_.beta1);
    second_[p].mul_(settings_.beta2).addcmul_(g, g, 1 - settings_.beta2);
    parameters_[p].addcdiv_(first_[p], (second_[p] / c2).sqrt_().add_(settings_.epsilon), -learning_rate / c1);
    averages_[p].lerp_(parameters_[p], 1 - decay());
  }
}

void AdamEma::save(const std::string& prefix, TensorFile& file) const {
  for (std::size_t p = 0; p < names_.size(); ++p) {
    const auto shape = parameters_[p].sizes().vec();
    for (const auto& [kind, list] : kinds()) file.tensors[prefix + kind + names_[p]] = {shape, values_of((*list)[p])};
  }
  file.tensors[prefix + ".updates"] = {{1}, std::vector<std::int64_t>{updates_}};
}

void AdamEma::load(const std::string& prefix, const TensorFile& file) {
  for (std::size_t p = 0; p < names_.size(); ++p) {
    const auto shape = parameters_[p].sizes().vec();
    for (const auto& [kind, list] : kinds())
      set_values((*list)[p], file.get_finite<float>(prefix + kind + names_[p], shape));
  }
  updates_ = file.get<std::int64_t>(prefix + ".updates", {1})[0];
  if (updates_ < 0)
    throw CheckpointError(
        fmt::format("{}: tensor '{}.updates' holds {}; expected 0 or more", file.name, prefix, updates_));
}

std::uint32_t weights_checksum(const std::vector<torch::Tensor>& tensors) {
  std::uint32_t sum = 0;
  for (const torch::Tensor& tensor : tensors) {
    const torch::Tensor flat = tensor.detach().cpu().contiguous();
    sum = crc32c({static_cast<const char*>(flat.data_ptr()), flat.nbytes()}, sum);
  }
  return sum;
}

std::vector<float> values_of(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.detach().cpu().contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

void set_values(const torch::Tensor& tensor, const std::vector<float>& values) {
  const torch::NoGradGuard no_gradient;
  // from_blob() takes no const pointer; the data is only read.
  tensor.detach().copy_(torch::from_blob(const_cast<float*>(values.data()), tensor.sizes()));
}

}  // namespace dealer
