#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <optional>

#include "env/core/random.h"
#include "env/core/worker_pool.h"
#include "train/divergence.h"
#include "train/nn/device_torch.h"
#include "train/nn/gradient_sum_torch.h"
#include "train/nn/network_torch.h"
#include "train/ofc/td_learner.h"

namespace dealer::ofc {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The sum of the weight rows of each sample's features. A dense product would be thirty times the work.
struct SparseSum : torch::autograd::Function<SparseSum> {
  static Tensor forward(AutogradContext* ctx, const Tensor& weight, const Tensor& bias, std::int64_t batch_address,
                        std::int64_t batch_size) {
    const auto* batch = reinterpret_cast<const Sample* const*>(batch_address);
    const std::int64_t width = weight.size(1);
    Tensor out = bias.expand({batch_size, width}).contiguous();
    const float* w = weight.data_ptr<float>();
    for (std::int64_t i = 0; i < batch_size; ++i) {
      float* __restrict row = out.data_ptr<float>() + i * width;
      for (int f = 0; f < batch[i]->count; ++f) {
        const float* __restrict source = w + batch[i]->feature[static_cast<std::size_t>(f)] * width;
        for (std::int64_t j = 0; j < width; ++j) row[j] += source[j];
      }
    }
    ctx->saved_data["batch"] = batch_address;
    ctx->saved_data["rows"] = weight.size(0);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto* batch = reinterpret_cast<const Sample* const*>(ctx->saved_data["batch"].toInt());
    const Tensor gradient = gradients[0].contiguous();
    const std::int64_t width = gradient.size(1);
    Tensor weight = torch::zeros({ctx->saved_data["rows"].toInt(), width});
    float* w = weight.data_ptr<float>();
    for (std::int64_t i = 0; i < gradient.size(0); ++i) {
      const float* __restrict row = gradient.data_ptr<float>() + i * width;
      for (int f = 0; f < batch[i]->count; ++f) {
        float* __restrict target = w + batch[i]->feature[static_cast<std::size_t>(f)] * width;
        for (std::int64_t j = 0; j < width; ++j) target[j] += row[j];
      }
    }
    return {weight, gradient.sum(0), Tensor(), Tensor()};
  }
};

Tensor column(std::span<const Sample* const> batch, float (*of)(const Sample&)) {
  Tensor values = torch::empty({static_cast<std::int64_t>(batch.size())});
  for (std::size_t i = 0; i < batch.size(); ++i) values.data_ptr<float>()[i] = of(*batch[i]);
  return values;
}

// The same by libtorch's operations, on its device.
Tensor sparse_sum(std::span<const Sample* const> batch, const Tensor& weight, const Tensor& bias) {
  std::vector<std::int64_t> features, offsets;
  for (const Sample* sample : batch) {
    offsets.push_back(static_cast<std::int64_t>(features.size()));
    features.insert(features.end(), sample->feature.begin(), sample->feature.begin() + sample->count);
  }
  constexpr std::int64_t kSum = 0;
  return std::get<0>(torch::embedding_bag(weight, torch::tensor(features, torch::kInt64).to(weight.device()),
                                          torch::tensor(offsets, torch::kInt64).to(weight.device()), false, kSum)) +
         bias;
}

}  // namespace

struct TdLearner::Impl {
  TdLearnerSettings settings;
  LearnerDevice device;
  std::vector<std::string> names;
  std::vector<Tensor> parameters;  // sparse weight, bias, then weight [in, out] and bias of each dense layer
  WorkerPool pool;
  std::optional<AdamEma> adam;
  std::optional<GradientSum> gradients;

  Impl(const TdLearnerSettings& s, Ranks& ranks) : settings(s), device(s.device, ranks.local_rank()), pool(s.workers) {
    RandomStream rng(s.seed, 0x17eaf);
    // About seventy features are active at once.
    add("sparse.", kFeatures, s.hidden_sizes.front(), 1 / std::sqrt(70.0), rng);
    for (std::size_t i = 0; i < s.hidden_sizes.size(); ++i) {
      const bool last = i + 1 == s.hidden_sizes.size();
      const int out = last ? kOutputs : s.hidden_sizes[i + 1];
      add(fmt::format("dense.{}.", i), s.hidden_sizes[i], out, std::sqrt((last ? 0.1 : 2.0) / s.hidden_sizes[i]), rng);
    }
    adam.emplace(names, parameters, AdamEma::Settings{s.beta1, s.beta2, 1e-8, s.ema_decay});
    gradients.emplace(parameters, ranks, pool);
    pool.run([](int) { at::set_num_threads(1); });
  }

  void add(const std::string& prefix, std::int64_t in, std::int64_t out, double deviation, RandomStream& rng) {
    for (const auto& [name, value] : {std::pair(prefix + "weight", normal_weights(in, out, deviation, rng)),
                                      std::pair(prefix + "bias", torch::zeros({out}))}) {
      names.push_back(name);
      parameters.push_back(value.to(device.place).requires_grad_());
    }
  }

  Tensor network(std::span<const Sample* const> batch) const {
    const Tensor x = device.by_operations
                         ? sparse_sum(batch, parameters[0], parameters[1])
                         : SparseSum::apply(parameters[0], parameters[1], reinterpret_cast<std::int64_t>(batch.data()),
                                            static_cast<std::int64_t>(batch.size()));
    return dense_forward(torch::relu(x), parameters, 2);
  }

  // Gradients of the summed loss of a slice, divided by the size of the whole batch.
  std::vector<Tensor> slice_gradient(std::span<const Sample* const> slice, std::size_t whole, Losses& losses,
                                     double* loss_value) const {
    const Tensor out = network(slice);
    const auto column_of = [&](auto samples, float (*of)(const Sample&)) {
      return column(samples, of).to(device.place);
    };
    const Tensor target = column_of(slice, [](const Sample& s) { return s.target / kValueScale; });
    const Tensor foul = column_of(slice, [](const Sample& s) { return static_cast<float>(s.foul); });
    const Tensor fantasyland = column_of(slice, [](const Sample& s) { return static_cast<float>(s.fantasyland); });
    const auto sum = torch::Reduction::Sum;
    const Tensor value_loss = torch::mse_loss(out.select(1, 0), target, sum);
    const Tensor foul_loss = torch::binary_cross_entropy_with_logits(out.select(1, 1), foul, {}, {}, sum);
    const Tensor fantasyland_loss = torch::binary_cross_entropy_with_logits(out.select(1, 2), fantasyland, {}, {}, sum);
    const double share = 1 / static_cast<double>(whole);
    const Tensor other = column_of(slice, [](const Sample& s) { return s.other / kValueScale; });
    const Tensor other_loss = torch::mse_loss(out.select(1, 3), other, sum);
    const Tensor loss = (value_loss + settings.auxiliary_weight * (foul_loss + fantasyland_loss + other_loss)) * share;
    losses.value = value_loss.item<double>() * share * kValueScale * kValueScale;
    losses.foul = foul_loss.item<double>() * share;
    losses.fantasyland = fantasyland_loss.item<double>() * share;
    if (loss_value != nullptr) *loss_value = loss.item<double>();
    return torch::autograd::grad({loss}, parameters);
  }
};

TdLearner::TdLearner(const TdLearnerSettings& settings, Ranks& ranks)
    : impl_(std::make_unique<Impl>(settings, ranks)) {}
TdLearner::~TdLearner() = default;

Losses TdLearner::update(std::span<const Sample* const> samples, std::size_t whole, double learning_rate) {
  const bool together = impl_->device.by_operations;
  const auto slices = static_cast<std::size_t>(together ? 1 : impl_->pool.size());
  std::vector<std::vector<Tensor>> gradients(slices);
  std::vector<Losses> losses(slices);
  const auto learn = [&](std::size_t s) {
    const std::size_t begin = samples.size() * s / slices, end = samples.size() * (s + 1) / slices;
    for (auto& gradient :
         gradients[s] = impl_->slice_gradient(samples.subspan(begin, end - begin), whole, losses[s], nullptr))
      gradient = gradient.contiguous();
  };
  if (together)
    learn(0);
  else
    impl_->pool.run([&](int worker) { learn(static_cast<std::size_t>(worker)); });
  const std::vector<Tensor>& sum = impl_->gradients->add_up(gradients);
  Losses total;
  for (const Losses& part : losses) total.add(part);
  const std::int64_t number = updates() + 1;
  expect_finite("loss/value", total.value, number);
  expect_finite("loss/foul", total.foul, number);
  expect_finite("loss/fantasyland", total.fantasyland, number);
  if (together) {
    impl_->adam->update(sum, learning_rate, 1);
  } else {
    impl_->adam->begin();
    impl_->pool.run([&](int worker) { impl_->adam->step(sum, learning_rate, 1, worker, impl_->pool.size()); });
  }
  return total;
}

std::vector<double> TdLearner::gradient(std::span<const Sample* const> batch, double* loss) {
  Losses losses;
  std::vector<double> flat;
  for (const Tensor& gradient : impl_->slice_gradient(batch, batch.size(), losses, loss))
    for (const float g : values_of(gradient)) flat.push_back(static_cast<double>(g));
  return flat;
}

void TdLearner::export_to(ValueNet& net, bool averaged) const {
  net = ValueNet(impl_->settings.hidden_sizes);
  const auto& source = averaged ? impl_->adam->averages() : impl_->parameters;
  const auto copy = [&source](std::size_t index, float* target) {
    const std::vector<float> values = values_of(source[index]);
    std::copy(values.begin(), values.end(), target);
  };
  copy(0, net.sparse().weight.data());
  copy(1, net.sparse().bias.data());
  for (std::size_t i = 0; i < net.dense().size(); ++i) {
    copy(2 + 2 * i, net.dense()[i].weight.data());
    copy(3 + 2 * i, net.dense()[i].bias.data());
  }
}

std::vector<float> TdLearner::forward(std::span<const Sample* const> batch) const {
  const torch::NoGradGuard no_gradient;
  return values_of(impl_->network(batch));
}

void TdLearner::save(TensorFile& file) const { impl_->adam->save("learner", file); }

void TdLearner::load(const TensorFile& file) { impl_->adam->load("learner", file); }

std::int64_t TdLearner::updates() const { return impl_->adam->updates(); }

std::uint32_t TdLearner::checksum() const { return weights_checksum(impl_->parameters); }

double TdLearner::dense_work() const {
  double work = 0;
  for (std::size_t p = 2; p < impl_->parameters.size(); p += 2)
    work += 3 * static_cast<double>(impl_->parameters[p].numel());
  return work;
}

}  // namespace dealer::ofc
