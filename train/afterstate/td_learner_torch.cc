#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "env/core/random.h"
#include "env/core/worker_pool.h"
#include "train/afterstate/td_learner.h"
#include "train/divergence.h"
#include "train/nn/device_torch.h"
#include "train/nn/gradient_sum_torch.h"
#include "train/nn/network_torch.h"

namespace dealer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The sum of the weight rows of each sample's features. A dense product would be thirty times slower.
struct SparseSum : torch::autograd::Function<SparseSum> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& weight, const torch::Tensor& bias,
                               std::int64_t batch_address, std::int64_t batch_size) {
    const auto* batch = reinterpret_cast<const TdSample* const*>(batch_address);
    const std::int64_t width = weight.size(1);
    torch::Tensor out = bias.repeat({batch_size, 1});
    const float* w = weight.data_ptr<float>();
    for (std::int64_t i = 0; i < batch_size; ++i) {
      float* __restrict row = out.data_ptr<float>() + i * width;
      for (const Feature feature : batch[i]->list.active()) {
        const float* __restrict source = w + feature * width;
        for (std::int64_t j = 0; j < width; ++j) row[j] += source[j];
      }
    }
    ctx->saved_data["batch"] = batch_address;
    ctx->saved_data["rows"] = weight.size(0);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto* batch = reinterpret_cast<const TdSample* const*>(ctx->saved_data["batch"].toInt());
    const torch::Tensor gradient = gradients[0].contiguous();
    const std::int64_t width = gradient.size(1);
    torch::Tensor weight = torch::zeros({ctx->saved_data["rows"].toInt(), width});
    float* w = weight.data_ptr<float>();
    for (std::int64_t i = 0; i < gradient.size(0); ++i) {
      const float* __restrict row = gradient.data_ptr<float>() + i * width;
      for (const Feature feature : batch[i]->list.active()) {
        float* __restrict target = w + feature * width;
        for (std::int64_t j = 0; j < width; ++j) target[j] += row[j];
      }
    }
    return {weight, gradient.sum(0), torch::Tensor(), torch::Tensor()};
  }
};

torch::Tensor targets_of(std::span<const TdSample* const> batch, std::size_t output) {
  torch::Tensor values = torch::empty({static_cast<std::int64_t>(batch.size())});
  for (std::size_t i = 0; i < batch.size(); ++i) values.data_ptr<float>()[i] = batch[i]->target[output];
  return values;
}

// The same by libtorch's operations, on its device.
torch::Tensor sparse_sum(std::span<const TdSample* const> batch, const torch::Tensor& weight,
                         const torch::Tensor& bias) {
  std::vector<std::int64_t> features, offsets;
  for (const TdSample* sample : batch) {
    offsets.push_back(static_cast<std::int64_t>(features.size()));
    const auto active = sample->list.active();
    features.insert(features.end(), active.begin(), active.end());
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
  // Sparse weight, bias, then weight [in, out] and bias of each dense layer, stack by stack.
  std::vector<torch::Tensor> parameters;
  WorkerPool pool;
  std::optional<AdamEma> adam;
  std::optional<GradientSum> gradients;

  Impl(const TdLearnerSettings& s, Ranks& ranks) : settings(s), device(s.device, ranks.local_rank()), pool(s.workers) {
    RandomStream rng(s.seed, 0x17eaf);
    add("sparse.", s.features, s.hidden_sizes.front(), 1 / std::sqrt(s.usually_active), rng);
    for (std::size_t stack = 0; stack < stacks(); ++stack)
      for (std::size_t i = 0; i < s.hidden_sizes.size(); ++i) {
        const bool last = i + 1 == s.hidden_sizes.size();
        const int out = last ? static_cast<int>(s.outputs.size()) : s.hidden_sizes[i + 1];
        add(dense_name(s.stacks, stack, i), s.hidden_sizes[i], out, std::sqrt((last ? 0.1 : 2.0) / s.hidden_sizes[i]),
            rng);
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

  std::size_t stacks() const { return static_cast<std::size_t>(settings.stacks.count); }
  // Index of the weight of a dense layer; its bias is the next.
  std::size_t dense_parameter(std::size_t stack, std::size_t layer) const {
    return 2 + 2 * (stack * settings.hidden_sizes.size() + layer);
  }

  // The batch sorted by stack, with the range of each.
  std::vector<std::size_t> sort(std::vector<const TdSample*>& batch) const {
    std::vector<std::size_t> begins = {0};
    for (std::size_t stack = 0; stack < stacks(); ++stack) {
      const auto rest = batch.begin() + static_cast<std::ptrdiff_t>(begins.back());
      const auto end = std::stable_partition(rest, batch.end(), [&](const TdSample* sample) {
        return settings.stacks.of(sample->list.active()) == stack;
      });
      begins.push_back(static_cast<std::size_t>(end - batch.begin()));
    }
    return begins;
  }

  // Outputs in the order of the batch, sorted by stack: `begins`.
  torch::Tensor network(std::span<const TdSample* const> batch, std::span<const std::size_t> begins) const {
    const torch::Tensor x = device.by_operations ? sparse_sum(batch, parameters[0], parameters[1])
                                                 : SparseSum::apply(parameters[0], parameters[1],
                                                                    reinterpret_cast<std::int64_t>(batch.data()),
                                                                    static_cast<std::int64_t>(batch.size()));
    const torch::Tensor first = torch::relu(x);
    std::vector<torch::Tensor> outputs;
    for (std::size_t stack = 0; stack < stacks(); ++stack) {
      const auto begin = static_cast<std::int64_t>(begins[stack]), end = static_cast<std::int64_t>(begins[stack + 1]);
      const auto layers = [&](std::size_t s) {
        return parameters.begin() + static_cast<std::ptrdiff_t>(dense_parameter(s, 0));
      };
      if (begin < end)
        outputs.push_back(dense_forward(first.narrow(0, begin, end - begin), {layers(stack), layers(stack + 1)}));
    }
    return torch::cat(outputs);
  }

  // Gradients of the summed loss of a slice, divided by the size of the whole batch.
  std::vector<torch::Tensor> slice_gradient(std::span<const TdSample* const> part, std::size_t whole, TdLosses& losses,
                                            double* loss_value) const {
    std::vector<const TdSample*> slice(part.begin(), part.end());
    const std::vector<std::size_t> begins = sort(slice);
    const torch::Tensor out = network(slice, begins);
    const double share = 1 / static_cast<double>(whole);
    torch::Tensor sum;
    for (std::size_t k = 0; k < settings.outputs.size(); ++k) {
      const TdOutput& output = settings.outputs[k];
      const torch::Tensor said = out.select(1, static_cast<std::int64_t>(k)),
                          target = targets_of(slice, k).to(device.place);
      const torch::Tensor loss =
          output.probability ? torch::binary_cross_entropy_with_logits(said, target, {}, {}, torch::Reduction::Sum)
                             : torch::mse_loss(said, target, torch::Reduction::Sum);
      const auto unit = static_cast<double>(output.unit);
      losses[k] = loss.item<double>() * share * unit * unit;
      const torch::Tensor weighted = loss * output.weight;
      sum = sum.defined() ? sum + weighted : weighted;
    }
    const torch::Tensor loss = sum * share;
    if (loss_value != nullptr) *loss_value = loss.item<double>();
    constexpr bool kAllowUnused = true;
    std::vector<torch::Tensor> result = torch::autograd::grad({loss}, parameters, {}, {}, false, kAllowUnused);
    // For stacks without a sample.
    for (std::size_t p = 0; p < result.size(); ++p)
      if (!result[p].defined()) result[p] = torch::zeros_like(parameters[p]);
    return result;
  }
};

TdLearner::TdLearner(const TdLearnerSettings& settings, Ranks& ranks)
    : impl_(std::make_unique<Impl>(settings, ranks)) {}
TdLearner::~TdLearner() = default;

TdLosses TdLearner::update(std::span<const TdSample* const> samples, std::size_t whole, double learning_rate) {
  const bool together = impl_->device.by_operations;
  const auto slices = static_cast<std::size_t>(together ? 1 : impl_->pool.size());
  std::vector<std::vector<torch::Tensor>> gradients(slices);
  std::vector<TdLosses> losses(slices, TdLosses{});
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
  const std::vector<torch::Tensor>& sum = impl_->gradients->add_up(gradients);
  TdLosses total{};
  const std::int64_t number = updates() + 1;
  for (std::size_t k = 0; k < impl_->settings.outputs.size(); ++k) {
    for (const TdLosses& part : losses) total[k] += part[k];
    expect_finite("loss/" + impl_->settings.outputs[k].name, total[k], number);
  }
  if (together) {
    impl_->adam->update(sum, learning_rate, 1);
  } else {
    impl_->adam->begin();
    impl_->pool.run([&](int worker) { impl_->adam->step(sum, learning_rate, 1, worker, impl_->pool.size()); });
  }
  return total;
}

std::vector<double> TdLearner::gradient(std::span<const TdSample* const> batch, double* loss) {
  TdLosses losses{};
  std::vector<double> flat;
  for (const torch::Tensor& gradient : impl_->slice_gradient(batch, batch.size(), losses, loss))
    for (const float g : values_of(gradient)) flat.push_back(static_cast<double>(g));
  return flat;
}

SparseNet TdLearner::weights(bool averaged) const {
  const TdLearnerSettings& s = impl_->settings;
  SparseNet net(s.features, s.hidden_sizes, static_cast<int>(s.outputs.size()), s.stacks);
  const auto& source = averaged ? impl_->adam->averages() : impl_->parameters;
  const auto copy = [&source](std::size_t index, float* target) {
    const std::vector<float> values = values_of(source[index]);
    std::copy(values.begin(), values.end(), target);
  };
  copy(0, net.sparse().weight.data());
  copy(1, net.sparse().bias.data());
  for (std::size_t stack = 0; stack < impl_->stacks(); ++stack)
    for (std::size_t i = 0; i < net.dense(stack).size(); ++i) {
      copy(impl_->dense_parameter(stack, i), net.dense(stack)[i].weight.data());
      copy(impl_->dense_parameter(stack, i) + 1, net.dense(stack)[i].bias.data());
    }
  return net;
}

void TdLearner::start_from(const SparseNet& net) {
  // The units that a narrower layer lacks keep their random weights, but the next layer does not count them.
  const auto set = [this](std::size_t index, const DenseLayer& layer) {
    const auto in = at(layer.in), out = at(layer.out);
    std::vector<float> weight = values_of(impl_->parameters[index]), bias = values_of(impl_->parameters[index + 1]);
    for (std::size_t i = 0; i * bias.size() < weight.size(); ++i)
      for (std::size_t j = 0; j < out; ++j) weight[i * bias.size() + j] = i < in ? layer.weight[i * out + j] : 0;
    std::copy(layer.bias.begin(), layer.bias.end(), bias.begin());
    for (const std::vector<torch::Tensor>* target : {&std::as_const(impl_->parameters), &impl_->adam->averages()}) {
      set_values((*target)[index], weight);
      set_values((*target)[index + 1], bias);
    }
  };
  set(0, net.sparse());
  for (std::size_t stack = 0; stack < impl_->stacks(); ++stack) {
    const std::vector<DenseLayer>& layers = net.dense(net.stacks().count == 1 ? 0 : stack);
    for (std::size_t i = 0; i < layers.size(); ++i) set(impl_->dense_parameter(stack, i), layers[i]);
  }
}

std::vector<float> TdLearner::forward(std::span<const TdSample* const> batch) const {
  const torch::NoGradGuard no_gradient;
  std::vector<float> values;
  for (const TdSample* sample : batch) {
    std::vector<const TdSample*> single = {sample};
    const std::vector<std::size_t> begins = impl_->sort(single);
    for (const float value : values_of(impl_->network(single, begins))) values.push_back(value);
  }
  return values;
}

void TdLearner::save(TensorFile& file) const { impl_->adam->save("learner", file); }

void TdLearner::load(const TensorFile& file) { impl_->adam->load("learner", file); }

std::int64_t TdLearner::updates() const { return impl_->adam->updates(); }

std::uint32_t TdLearner::checksum() const { return weights_checksum(impl_->parameters); }

double TdLearner::dense_work() const {
  double work = 0;
  for (std::size_t p = 2; p < impl_->dense_parameter(1, 0); p += 2)
    work += 3 * static_cast<double>(impl_->parameters[p].numel());
  return work;
}

}  // namespace dealer
