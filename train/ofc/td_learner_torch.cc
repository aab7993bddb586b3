#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <cstring>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"
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

std::vector<float> values_of(const Tensor& tensor) {
  const Tensor flat = tensor.detach().contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

}  // namespace

struct TdLearner::Impl {
  TdLearnerSettings settings;
  std::vector<std::string> names;
  std::vector<Tensor> parameters;  // sparse weight, bias, then weight [in, out] and bias of each dense layer
  std::vector<Tensor> averages, first, second;
  std::int64_t updates = 0;
  WorkerPool pool;

  explicit Impl(const TdLearnerSettings& s) : settings(s), pool(s.workers) {
    RandomStream rng(s.seed, 0x17eaf);
    // About seventy features are active at once.
    add("sparse.", kFeatures, s.hidden_sizes.front(), 1 / std::sqrt(70.0), rng);
    for (std::size_t i = 0; i < s.hidden_sizes.size(); ++i) {
      const bool last = i + 1 == s.hidden_sizes.size();
      const int out = last ? kOutputs : s.hidden_sizes[i + 1];
      add(fmt::format("dense.{}.", i), s.hidden_sizes[i], out, std::sqrt((last ? 0.1 : 2.0) / s.hidden_sizes[i]), rng);
    }
    pool.run([](int) { at::set_num_threads(1); });
  }

  void add(const std::string& prefix, std::int64_t in, std::int64_t out, double deviation, RandomStream& rng) {
    Tensor weight = torch::empty({in, out});
    for (std::int64_t i = 0; i < weight.numel(); ++i) {
      // Box-Muller
      const double u = 1 - static_cast<double>(rng.uniform()), v = static_cast<double>(rng.uniform());
      weight.data_ptr<float>()[i] =
          static_cast<float>(deviation * std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v));
    }
    for (const auto& [name, value] :
         {std::pair(prefix + "weight", weight), std::pair(prefix + "bias", torch::zeros({out}))}) {
      names.push_back(name);
      parameters.push_back(value.clone().requires_grad_());
      averages.push_back(value.clone());
      first.push_back(torch::zeros_like(value));
      second.push_back(torch::zeros_like(value));
    }
  }

  Tensor network(std::span<const Sample* const> batch) const {
    Tensor x = SparseSum::apply(parameters[0], parameters[1], reinterpret_cast<std::int64_t>(batch.data()),
                                static_cast<std::int64_t>(batch.size()));
    for (std::size_t layer = 2; layer < parameters.size(); layer += 2)
      x = torch::addmm(parameters[layer + 1], torch::relu(x), parameters[layer]);
    return x;
  }

  // Gradients of the summed loss of a slice, divided by the size of the whole batch.
  std::vector<Tensor> slice_gradient(std::span<const Sample* const> slice, std::size_t whole, Losses& losses,
                                     double* loss_value) const {
    const Tensor out = network(slice);
    const Tensor target = column(slice, [](const Sample& s) { return s.target / kValueScale; });
    const Tensor foul = column(slice, [](const Sample& s) { return static_cast<float>(s.foul); });
    const Tensor fantasyland = column(slice, [](const Sample& s) { return static_cast<float>(s.fantasyland); });
    const auto sum = torch::Reduction::Sum;
    const Tensor value_loss = torch::mse_loss(out.select(1, 0), target, sum);
    const Tensor foul_loss = torch::binary_cross_entropy_with_logits(out.select(1, 1), foul, {}, {}, sum);
    const Tensor fantasyland_loss = torch::binary_cross_entropy_with_logits(out.select(1, 2), fantasyland, {}, {}, sum);
    const double share = 1 / static_cast<double>(whole);
    const Tensor other = column(slice, [](const Sample& s) { return s.other / kValueScale; });
    const Tensor other_loss = torch::mse_loss(out.select(1, 3), other, sum);
    const Tensor loss = (value_loss + settings.auxiliary_weight * (foul_loss + fantasyland_loss + other_loss)) * share;
    losses.value = value_loss.item<double>() * share * kValueScale * kValueScale;
    losses.foul = foul_loss.item<double>() * share;
    losses.fantasyland = fantasyland_loss.item<double>() * share;
    if (loss_value != nullptr) *loss_value = loss.item<double>();
    return torch::autograd::grad({loss}, parameters);
  }

  // Adam on the elements [begin, end) of every parameter, and the running average.
  void step(const std::vector<std::vector<Tensor>>& gradients, double learning_rate, int worker) {
    const double c1 = 1 - std::pow(settings.beta1, static_cast<double>(updates));
    const double c2 = 1 - std::pow(settings.beta2, static_cast<double>(updates));
    const auto b1 = static_cast<float>(settings.beta1), b2 = static_cast<float>(settings.beta2);
    const auto rate = static_cast<float>(learning_rate / c1), root = static_cast<float>(1 / c2);
    // Early averages would be full of the random start.
    const auto decay = static_cast<float>(
        std::min(settings.ema_decay, static_cast<double>(updates) / (static_cast<double>(updates) + 9)));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::int64_t n = parameters[p].numel(), begin = n * worker / pool.size(),
                         end = n * (worker + 1) / pool.size();
      float* __restrict w = parameters[p].data_ptr<float>();
      float* __restrict m = first[p].data_ptr<float>();
      float* __restrict v = second[p].data_ptr<float>();
      float* __restrict mean = averages[p].data_ptr<float>();
      float* __restrict total = gradients[0][p].data_ptr<float>();
      for (std::size_t other = 1; other < gradients.size(); ++other) {
        const float* __restrict g = gradients[other][p].data_ptr<float>();
        for (std::int64_t i = begin; i < end; ++i) total[i] += g[i];
      }
      for (std::int64_t i = begin; i < end; ++i) {
        const float g = total[i];
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * g * g;
        w[i] -= rate * m[i] / (std::sqrt(v[i] * root) + 1e-8F);
        mean[i] = decay * mean[i] + (1 - decay) * w[i];
      }
    }
  }
};

TdLearner::TdLearner(const TdLearnerSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
TdLearner::~TdLearner() = default;

Losses TdLearner::update(std::span<const Sample* const> batch, double learning_rate) {
  const auto workers = static_cast<std::size_t>(impl_->pool.size());
  std::vector<std::vector<Tensor>> gradients(workers);
  std::vector<Losses> losses(workers);
  impl_->pool.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    const std::size_t begin = batch.size() * w / workers, end = batch.size() * (w + 1) / workers;
    for (auto& gradient :
         gradients[w] = impl_->slice_gradient(batch.subspan(begin, end - begin), batch.size(), losses[w], nullptr))
      gradient = gradient.contiguous();
  });
  ++impl_->updates;
  impl_->pool.run([&](int worker) { impl_->step(gradients, learning_rate, worker); });
  Losses total;
  for (const Losses& part : losses) {
    total.value += part.value;
    total.foul += part.foul;
    total.fantasyland += part.fantasyland;
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
  const auto& source = averaged ? impl_->averages : impl_->parameters;
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

void TdLearner::save(TensorFile& file) const {
  for (std::size_t p = 0; p < impl_->names.size(); ++p) {
    const auto shape = impl_->parameters[p].sizes().vec();
    for (const auto& [kind, list] :
         {std::pair("learner.weights.", &impl_->parameters), std::pair("learner.averages.", &impl_->averages),
          std::pair("learner.moments1.", &impl_->first), std::pair("learner.moments2.", &impl_->second)})
      file.tensors[kind + impl_->names[p]] = {shape, values_of((*list)[p])};
  }
  file.tensors["learner.updates"] = {{1}, std::vector<std::int64_t>{impl_->updates}};
}

void TdLearner::load(const TensorFile& file) {
  for (std::size_t p = 0; p < impl_->names.size(); ++p) {
    const auto shape = impl_->parameters[p].sizes().vec();
    for (const auto& [kind, list] :
         {std::pair("learner.weights.", &impl_->parameters), std::pair("learner.averages.", &impl_->averages),
          std::pair("learner.moments1.", &impl_->first), std::pair("learner.moments2.", &impl_->second)}) {
      const std::vector<float>& values = file.get<float>(kind + impl_->names[p], shape);
      std::memcpy((*list)[p].data_ptr<float>(), values.data(), values.size() * sizeof(float));
    }
  }
  impl_->updates = file.get<std::int64_t>("learner.updates", {1})[0];
  if (impl_->updates < 0)
    throw CheckpointError(
        fmt::format("{}: tensor 'learner.updates' holds {}; expected 0 or more", file.name, impl_->updates));
}

std::int64_t TdLearner::updates() const { return impl_->updates; }

double TdLearner::dense_work() const {
  double work = 0;
  for (std::size_t p = 2; p < impl_->parameters.size(); p += 2)
    work += 3 * static_cast<double>(impl_->parameters[p].numel());
  return work;
}

}  // namespace dealer::ofc
