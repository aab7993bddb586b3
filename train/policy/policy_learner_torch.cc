#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "env/core/worker_pool.h"
#include "train/divergence.h"
#include "train/nn/dense_pass_torch.h"
#include "train/nn/device_torch.h"
#include "train/nn/gradient_sum_torch.h"
#include "train/nn/network_torch.h"
#include "train/policy/policy_learner.h"
#include "train/policy/policy_rows.h"

namespace dealer {
namespace {

// Rows per evaluation batch.
constexpr std::size_t kEvaluated = 2048;

std::vector<int> widths(int in, const std::vector<int>& hidden, int out) {
  std::vector<int> all = {in};
  all.insert(all.end(), hidden.begin(), hidden.end());
  all.push_back(out);
  return all;
}

AdamEma::Settings adam_settings(const PolicyLearnerSettings& settings, double ema_decay) {
  return {settings.beta1, settings.beta2, settings.epsilon, ema_decay};
}

std::vector<torch::Tensor> joined(const std::vector<torch::Tensor>& first, const std::vector<torch::Tensor>& second) {
  std::vector<torch::Tensor> all = first;
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

std::int64_t size_of(std::size_t n) { return static_cast<std::int64_t>(n); }

torch::Tensor values_on_cpu(const torch::Tensor& tensor) { return tensor.detach().cpu().contiguous(); }

// The rows of samples are scattered in memory: prefetches the next ones while one is written.
template <class Parts>
void write_all(std::span<const PolicySample> samples, DensePass& pass, const Parts& parts) {
  constexpr std::size_t kAhead = 2;
  constexpr std::size_t kLine = 64 / sizeof(float);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i + kAhead < samples.size())
      parts(samples[i + kAhead], [](std::size_t, std::span<const float> numbers) {
        for (std::size_t n = 0; n < numbers.size(); n += kLine) __builtin_prefetch(&numbers[n]);
      });
    parts(samples[i], [&](std::size_t offset, std::span<const float> numbers) { pass.write(i, offset, numbers); });
  }
}

// A worker's training data and buffers.
struct Slice {
  DensePass player, critic;  // on the processor
  LossRows rows;
  torch::Tensor inputs, critic_inputs;  // for a GPU
};

}  // namespace

void PolicyLosses::add(const PolicyLosses& other) {
  policy += other.policy;
  entropy += other.entropy;
  magnet += other.magnet;
  proximal += other.proximal;
  value += other.value;
  critic += other.critic;
  gradient_norm += other.gradient_norm;
  updates += other.updates;
}

void PolicyLosses::expect_finite(std::int64_t update) const {
  for (const auto& [name, term] : {std::pair("loss/policy", policy),
                                   {"policy/entropy", entropy},
                                   {"policy/from_magnet", magnet},
                                   {"policy/from_played", proximal},
                                   {"loss/value", value},
                                   {"loss/critic", critic}})
    dealer::expect_finite(name, term, update);
}

struct PolicyLearner::Impl {
  PolicyLearnerSettings settings;
  int inputs, critic_inputs, actions, critic_outputs;
  LearnerDevice device;
  RandomStream rng;
  DenseNetwork player, critic, magnet;
  AdamEma player_adam, critic_adam;
  WorkerPool pool;
  GradientSum gradients;
  std::vector<Slice> slices;  // by worker

  Impl(const PolicyLearnerSettings& s, int in, int critic_in, int num_actions, Ranks& ranks)
      : settings(s),
        inputs(in),
        critic_inputs(critic_in),
        actions(num_actions),
        critic_outputs(s.action_values ? num_actions : 1),
        device(s.device, ranks.local_rank()),
        rng(s.seed, 0x17eaf),
        player("policy", widths(in, s.hidden_sizes, num_actions + 1), 0.01, rng, device.place),
        critic("critic", widths(critic_in, s.critic_hidden_sizes, critic_outputs), 0.1, rng, device.place),
        magnet(player),
        player_adam(player.names, player.parameters, adam_settings(s, s.ema_decay)),
        critic_adam(critic.names, critic.parameters, adam_settings(s, s.critic_ema_decay)),
        pool(s.workers),
        gradients(joined(player.parameters, critic.parameters), ranks, pool) {
    for (torch::Tensor& parameter : magnet.parameters) parameter = parameter.detach().clone();
    player.bfloat16 = critic.bfloat16 = magnet.bfloat16 = s.bfloat16;
    pool.run([](int) { at::set_num_threads(1); });
    for (int w = 0; w < s.workers; ++w)
      slices.push_back({DensePass(widths(in, s.hidden_sizes, num_actions + 1), s.bfloat16),
                        DensePass(widths(critic_in, s.critic_hidden_sizes, critic_outputs), s.bfloat16),
                        {},
                        {},
                        {}});
  }

  torch::Tensor player_inputs(std::span<const PolicySample> samples) const {
    torch::Tensor x = torch::empty({size_of(samples.size()), inputs});
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i].rollout->write_inputs(samples[i].row, x.data_ptr<float>() + size_of(i) * inputs);
    return x;
  }
  torch::Tensor inputs_of_critic(std::span<const PolicySample> samples) const {
    torch::Tensor x = torch::empty({size_of(samples.size()), critic_inputs});
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i].rollout->write_critic_inputs(samples[i].row, x.data_ptr<float>() + size_of(i) * critic_inputs);
    return x;
  }

  // [samples, actions + 1] and [samples, critic_outputs], until the slice is used again.
  const float* player_says(Slice& slice, std::span<const PolicySample> samples,
                           const std::vector<torch::Tensor>& parameters) const {
    slice.player.start(samples.size());
    write_all(samples, slice.player,
              [](const PolicySample& sample, const auto& f) { sample.rollout->for_inputs(sample.row, f); });
    return slice.player.forward(parameters);
  }
  const float* critic_says(Slice& slice, std::span<const PolicySample> samples,
                           const std::vector<torch::Tensor>& parameters) const {
    slice.critic.start(samples.size());
    write_all(samples, slice.critic,
              [](const PolicySample& sample, const auto& f) { sample.rollout->for_critic_inputs(sample.row, f); });
    return slice.critic.forward(parameters);
  }

  LossWeights weights(const PolicyRates& rates) const {
    return {rates.clip,  rates.entropy,     rates.magnet,        rates.proximal,
            rates.value, settings.gradient, settings.logit_limit};
  }

  // The player's loss on these rows, as a part of the mean over the whole batch, and its gradient by the output.
  PolicyLosses player_loss(const LossRows& rows, const float* output, std::size_t whole, const PolicyRates& rates,
                           float* by_output) const {
    const double share = 1 / static_cast<double>(whole);
    const LossSums sums = policy_loss_gradient(rows, output, weights(rates), share, by_output);
    return {share * sums.policy, share * sums.entropy, share * sums.magnet, share * sums.proximal, share * sums.value};
  }
  // The critic's: the squared error of its value of the position, or of the action played.
  double critic_loss(const LossRows& rows, const float* said, std::size_t whole, float* by_output) const {
    const double share = 1 / static_cast<double>(whole);
    double error = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i, said += critic_outputs, by_output += critic_outputs) {
      std::fill_n(by_output, critic_outputs, 0.0F);
      const int of = settings.action_values ? rows.action[i] : 0;
      const float beyond = said[of] - rows.value_target[i];
      error += static_cast<double>(beyond) * static_cast<double>(beyond);
      by_output[of] = 2 * static_cast<float>(share) * beyond;
    }
    return share * error;
  }

  // Gradients of the summed loss of a slice, divided by the size of the whole batch: the player's, then the critic's.
  std::vector<torch::Tensor> gradient(Slice& slice, std::span<const PolicySample> samples, std::size_t whole,
                                      const PolicyRates& rates, PolicyLosses& losses) const {
    fill_rows(samples, settings, actions, slice.rows);
    const float* const output = player_says(slice, samples, player.parameters);
    losses = player_loss(slice.rows, output, whole, rates, slice.player.output_gradient());
    std::vector<torch::Tensor> all = slice.player.backward();
    const float* const said = critic_says(slice, samples, critic.parameters);
    losses.critic = critic_loss(slice.rows, said, whole, slice.critic.output_gradient());
    for (const torch::Tensor& part : slice.critic.backward()) all.push_back(part);
    return all;
  }

  // The same on a GPU, of all slices together: outputs are copied to the processor, and their gradient back.
  std::vector<torch::Tensor> gradient_on_gpu(std::size_t whole, const PolicyRates& rates, PolicyLosses& losses) {
    const auto output_of = [&](const DenseNetwork& network, torch::Tensor Slice::*part) {
      std::vector<torch::Tensor> parts;
      for (const Slice& slice : slices) parts.push_back(slice.*part);
      return network.forward(torch::cat(parts).to(device.place));
    };
    const torch::Tensor output = output_of(player, &Slice::inputs), said = output_of(critic, &Slice::critic_inputs);
    const torch::Tensor output_here = values_on_cpu(output), said_here = values_on_cpu(said);
    const torch::Tensor by_output = torch::empty_like(output_here), by_said = torch::empty_like(said_here);
    std::vector<PolicyLosses> parts(slices.size());
    pool.run([&](int worker) {
      const auto w = static_cast<std::size_t>(worker);
      std::int64_t first = 0;
      for (std::size_t before = 0; before < w; ++before) first += size_of(slices[before].rows.rows());
      const LossRows& rows = slices[w].rows;
      const auto from = [&](const torch::Tensor& of) { return of.data_ptr<float>() + first * of.size(1); };
      parts[w] = player_loss(rows, from(output_here), whole, rates, from(by_output));
      parts[w].critic = critic_loss(rows, from(said_here), whole, from(by_said));
    });
    losses = {};
    for (const PolicyLosses& part : parts) losses.add(part);
    const auto gradient_of = [&](const torch::Tensor& of, const DenseNetwork& network, const torch::Tensor& by) {
      return torch::autograd::grad({of}, network.parameters, {by.to(device.place)});
    };
    std::vector<torch::Tensor> all = joined(gradient_of(output, player, by_output), gradient_of(said, critic, by_said));
    for (torch::Tensor& part : all) part = part.contiguous();
    return all;
  }

  // Throws DivergenceError before any weight changes. The gradient is the sum over all ranks, so all of them throw.
  double apply(AdamEma& adam, std::string_view whose, std::span<const torch::Tensor> gradient, double learning_rate) {
    const std::vector<torch::Tensor> own(gradient.begin(), gradient.end());
    const double length = std::sqrt(device.by_operations ? device_squared_norm(own) : squared_norm(own, pool));
    expect_finite(fmt::format("the gradient norm of the {}", whose), length, adam.updates() + 1);
    const double scale = length > settings.max_gradient_norm ? settings.max_gradient_norm / length : 1;
    if (device.by_operations) {
      adam.update(own, learning_rate, scale);
    } else {
      adam.begin();
      pool.run([&](int w) { adam.step(own, learning_rate, scale, w, pool.size()); });
    }
    return length;
  }
};

PolicyLearner::PolicyLearner(const PolicyLearnerSettings& settings, int inputs, int critic_inputs, int actions,
                             Ranks& ranks)
    : impl_(std::make_unique<Impl>(settings, inputs, critic_inputs, actions, ranks)) {}
PolicyLearner::~PolicyLearner() = default;

void PolicyLearner::evaluate(int worker, const Rollout& rollout, RolloutValues& values) {
  const torch::NoGradGuard no_gradient;
  at::set_num_threads(1);
  const auto rows = static_cast<std::size_t>(rollout.rows()), actions = static_cast<std::size_t>(impl_->actions);
  const bool action_values = impl_->settings.action_values, magnet = impl_->settings.magnet;
  Slice& slice = impl_->slices[static_cast<std::size_t>(worker)];
  // The critic's newest updates are noisy; its average is smoother.
  DenseNetwork critic = impl_->critic;
  critic.parameters = impl_->critic_adam.averages();
  values.value.resize(rows);
  values.target.resize(rows);
  if (action_values) values.actions.resize(rows * actions);
  if (magnet) values.magnet.resize(rows * actions);
  std::vector<PolicySample> samples;
  for (const std::int32_t row : rollout.learned()) samples.push_back({&rollout, &values, row});
  for (std::size_t begin = 0; begin < samples.size(); begin += kEvaluated) {
    const auto part = std::span(samples).subspan(begin, std::min(kEvaluated, samples.size() - begin));
    const torch::Device& place = impl_->device.place;
    const bool gpu = impl_->device.by_operations;
    torch::Tensor kept, kept_magnet;  // results from a GPU
    if (gpu) kept = values_on_cpu(critic.forward(impl_->inputs_of_critic(part).to(place)));
    const float* const said = gpu ? kept.data_ptr<float>() : impl_->critic_says(slice, part, critic.parameters);
    if (gpu && magnet) kept_magnet = values_on_cpu(impl_->magnet.forward(impl_->player_inputs(part).to(place)));
    const float* const drawn_to = !magnet ? nullptr
                                  : gpu   ? kept_magnet.data_ptr<float>()
                                          : impl_->player_says(slice, part, impl_->magnet.parameters);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto row = static_cast<std::size_t>(part[i].row);
      const LegalMask legal = rollout.legal(part[i].row);
      if (action_values) {
        const float* const q = said + i * actions;
        std::copy_n(q, actions, &values.actions[row * actions]);
        values.value[row] = 0;
        for (LegalMask rest = legal; rest != 0; rest &= rest - 1)
          values.value[row] += rollout.policy(part[i].row, std::countr_zero(rest)) * q[std::countr_zero(rest)];
      } else {
        values.value[row] = said[i];
      }
      if (magnet) log_softmax(drawn_to + i * (actions + 1), legal, impl_->actions, &values.magnet[row * actions]);
    }
  }
}

PolicyLosses PolicyLearner::update(std::span<const PolicySample> samples, std::size_t whole, const PolicyRates& rates) {
  const auto workers = static_cast<std::size_t>(impl_->pool.size());
  const bool together = impl_->device.by_operations;
  std::vector<std::vector<torch::Tensor>> gradients(together ? 1 : workers);
  std::vector<PolicyLosses> losses(gradients.size());
  impl_->pool.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    const std::size_t begin = samples.size() * w / workers, end = samples.size() * (w + 1) / workers;
    const auto own = samples.subspan(begin, end - begin);
    Slice& slice = impl_->slices[w];
    if (!together) {
      gradients[w] = impl_->gradient(slice, own, whole, rates, losses[w]);
      return;
    }
    fill_rows(own, impl_->settings, impl_->actions, slice.rows);
    slice.inputs = impl_->player_inputs(own);
    slice.critic_inputs = impl_->inputs_of_critic(own);
  });
  if (together) gradients[0] = impl_->gradient_on_gpu(whole, rates, losses[0]);
  PolicyLosses total;
  for (const PolicyLosses& part : losses) total.add(part);
  const std::span<const torch::Tensor> sum = impl_->gradients.add_up(gradients);
  const std::size_t player = impl_->player.parameters.size();
  total.gradient_norm = impl_->apply(impl_->player_adam, "player", sum.first(player), rates.learning_rate);
  impl_->apply(impl_->critic_adam, "critic", sum.subspan(player), rates.critic_learning_rate);
  total.updates = 1;
  total.expect_finite(impl_->player_adam.updates());
  return total;
}

void PolicyLearner::move_magnet(double share) {
  const torch::NoGradGuard no_gradient;
  for (std::size_t p = 0; p < impl_->magnet.parameters.size(); ++p)
    impl_->magnet.parameters[p].lerp_(impl_->player.parameters[p], share);
}

std::vector<PolicyNetwork::Layer> PolicyLearner::layers(Weights which) const {
  const std::vector<torch::Tensor>& source = which == Weights::kCurrent  ? impl_->player.parameters
                                             : which == Weights::kMagnet ? impl_->magnet.parameters
                                                                         : impl_->player_adam.averages();
  std::vector<PolicyNetwork::Layer> layers;
  for (std::size_t i = 0; i < source.size(); i += 2)
    layers.push_back({static_cast<int>(source[i].size(0)), static_cast<int>(source[i].size(1)), values_of(source[i]),
                      values_of(source[i + 1])});
  return layers;
}

void PolicyLearner::start_from(const std::vector<PolicyNetwork::Layer>& layers) {
  for (const std::vector<torch::Tensor>& target :
       {impl_->player.parameters, impl_->player_adam.averages(), impl_->magnet.parameters})
    for (std::size_t i = 0; i < layers.size(); ++i) {
      set_values(target[2 * i], layers[i].weight);
      set_values(target[2 * i + 1], layers[i].bias);
    }
}

double PolicyLearner::work() const { return 3 * (impl_->player.work() + impl_->critic.work()); }

double PolicyLearner::busy_seconds() const { return impl_->pool.busy_seconds(); }

std::uint32_t PolicyLearner::checksum() const {
  return weights_checksum(joined(impl_->player.parameters, impl_->critic.parameters));
}

void PolicyLearner::save(TensorFile& file) const {
  impl_->player_adam.save("player", file);
  impl_->critic_adam.save("critic", file);
  if (!impl_->settings.magnet) return;
  for (std::size_t p = 0; p < impl_->magnet.names.size(); ++p)
    file.tensors["magnet." + impl_->magnet.names[p]] = {impl_->magnet.parameters[p].sizes().vec(),
                                                        values_of(impl_->magnet.parameters[p])};
}

void PolicyLearner::load(const TensorFile& file) {
  impl_->player_adam.load("player", file);
  impl_->critic_adam.load("critic", file);
  if (!impl_->settings.magnet) return;
  for (std::size_t p = 0; p < impl_->magnet.names.size(); ++p) {
    const torch::Tensor& parameter = impl_->magnet.parameters[p];
    const std::vector<float>& values = file.get<float>("magnet." + impl_->magnet.names[p], parameter.sizes().vec());
    set_values(parameter, values);
  }
}

}  // namespace dealer
