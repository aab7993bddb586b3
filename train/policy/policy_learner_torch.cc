#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "env/core/worker_pool.h"
#include "train/nn/network_torch.h"
#include "train/policy/losses_torch.h"
#include "train/policy/policy_learner.h"

namespace dealer {
namespace {

// Rows that are evaluated together.
constexpr std::size_t kEvaluated = 2048;
constexpr float kLeast = 1e-8F;  // probability whose log is taken

std::vector<int> widths(int in, const std::vector<int>& hidden, int out) {
  std::vector<int> all = {in};
  all.insert(all.end(), hidden.begin(), hidden.end());
  all.push_back(out);
  return all;
}

AdamEma::Settings adam_settings(const PolicyLearnerSettings& settings, double ema_decay) {
  return {settings.beta1, settings.beta2, settings.epsilon, ema_decay};
}

std::int64_t size_of(std::size_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

struct PolicyLearner::Impl {
  PolicyLearnerSettings settings;
  int inputs, critic_inputs, actions;
  RandomStream rng;
  DenseNetwork player, critic, magnet;
  AdamEma player_adam, critic_adam;
  WorkerPool pool;

  Impl(const PolicyLearnerSettings& s, int in, int critic_in, int num_actions)
      : settings(s),
        inputs(in),
        critic_inputs(critic_in),
        actions(num_actions),
        rng(s.seed, 0x17eaf),
        player("policy", widths(in, s.hidden_sizes, num_actions + 1), 0.01, rng),
        critic("critic", widths(critic_in, s.critic_hidden_sizes, s.action_values ? num_actions : 1), 0.1, rng),
        magnet(player),
        player_adam(player, adam_settings(s, s.ema_decay)),
        critic_adam(critic, adam_settings(s, s.critic_ema_decay)),
        pool(s.workers) {
    for (torch::Tensor& parameter : magnet.parameters) parameter = parameter.detach().clone();
    pool.run([](int) { at::set_num_threads(1); });
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
  torch::Tensor legal_of(std::span<const PolicySample> samples) const {
    torch::Tensor legal = torch::empty({size_of(samples.size()), actions}, torch::kBool);
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (int a = 0; a < actions; ++a)
        legal.data_ptr<bool>()[size_of(i) * actions + a] = (samples[i].rollout->legal(samples[i].row) >> a & 1) != 0;
    return legal;
  }

  // What each action is worth beyond the position, or the one played.
  torch::Tensor advantages(std::span<const PolicySample> samples) const {
    const auto rows = size_of(samples.size());
    torch::Tensor result = torch::zeros({rows, settings.gradient == PolicyGradient::kPpo ? 1 : actions});
    float* out = result.data_ptr<float>();
    for (const PolicySample& sample : samples) {
      const auto row = static_cast<std::size_t>(sample.row);
      const float value = sample.values->value[row], target = sample.values->target[row];
      if (settings.gradient == PolicyGradient::kPpo) {
        *out++ = target - value;
        continue;
      }
      const float* const q = &sample.values->actions[row * static_cast<std::size_t>(actions)];
      const float* const played = sample.rollout->probability(sample.row);
      for (LegalMask rest = sample.rollout->legal(sample.row); rest != 0; rest &= rest - 1)
        out[std::countr_zero(rest)] = q[std::countr_zero(rest)] - value;
      const Action action = sample.rollout->action(sample.row);
      // Of the play of an action its value takes the noise out; the rest is weighted by how rarely it is played.
      out[action] += static_cast<float>(settings.correction) * (target - q[action]) / std::max(played[action], 0.05F);
      out += actions;
    }
    return result;
  }

  PolicyBatch batch_of(std::span<const PolicySample> samples) const {
    const auto rows = size_of(samples.size());
    PolicyBatch batch;
    batch.legal = legal_of(samples);
    batch.played = torch::empty({rows, actions});
    batch.action = torch::empty({rows, 1}, torch::kInt64);
    batch.value_target = torch::empty({rows});
    if (settings.magnet) batch.magnet = torch::empty({rows, actions});
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const PolicySample& sample = samples[i];
      const float* const played = sample.rollout->probability(sample.row);
      float* const log = batch.played.data_ptr<float>() + size_of(i) * actions;
      for (int a = 0; a < actions; ++a) log[a] = std::log(std::max(played[a], kLeast));
      batch.action.data_ptr<std::int64_t>()[i] = sample.rollout->action(sample.row);
      const auto row = static_cast<std::size_t>(sample.row);
      batch.value_target.data_ptr<float>()[i] = sample.values->target[row];
      if (settings.magnet)
        std::copy_n(&sample.values->magnet[row * static_cast<std::size_t>(actions)], actions,
                    batch.magnet.data_ptr<float>() + size_of(i) * actions);
    }
    batch.advantage = advantages(samples);
    return batch;
  }

  struct Slice {
    std::vector<torch::Tensor> player, critic;
    PolicyLosses losses;
  };

  // Gradients of the summed loss of a slice, divided by the size of the whole batch.
  Slice slice_gradient(std::span<const PolicySample> samples, std::size_t whole, const PolicyRates& rates) const {
    const double share = 1 / static_cast<double>(whole);
    const PolicyBatch batch = batch_of(samples);
    const LossWeights weights{settings.clip, rates.entropy,     rates.magnet,        rates.proximal,
                              rates.value,   settings.gradient, settings.logit_limit};
    const LossTerms terms = policy_losses(player.forward(player_inputs(samples)), batch, weights);
    Slice slice;
    slice.player = torch::autograd::grad({terms.total * share}, player.parameters);
    const torch::Tensor said = critic.forward(inputs_of_critic(samples));
    const torch::Tensor of_action = settings.action_values ? said.gather(1, batch.action).squeeze(1) : said.squeeze(1);
    const torch::Tensor error = (of_action - batch.value_target).square().sum();
    slice.critic = torch::autograd::grad({error * share}, critic.parameters);
    for (auto* gradients : {&slice.player, &slice.critic})
      for (torch::Tensor& gradient : *gradients) gradient = gradient.contiguous();
    const auto number = [share](const torch::Tensor& sum) { return sum.defined() ? share * sum.item<double>() : 0; };
    slice.losses = {number(terms.policy),
                    number(terms.entropy),
                    number(terms.magnet),
                    number(terms.proximal),
                    number(terms.value),
                    number(error),
                    0,
                    0};
    return slice;
  }

  void apply(AdamEma& adam, std::vector<std::vector<torch::Tensor>>& gradients, double learning_rate, double* norm) {
    const int workers = pool.size();
    std::vector<double> squared(static_cast<std::size_t>(workers));
    adam.begin();
    pool.run([&](int w) { squared[static_cast<std::size_t>(w)] = adam.add_up(gradients, w, workers); });
    double sum = 0;
    for (const double part : squared) sum += part;
    const double length = std::sqrt(sum);
    if (norm != nullptr) *norm = length;
    const double scale = length > settings.max_gradient_norm ? settings.max_gradient_norm / length : 1;
    pool.run([&](int w) { adam.step(gradients.front(), learning_rate, scale, w, workers); });
  }
};

PolicyLearner::PolicyLearner(const PolicyLearnerSettings& settings, int inputs, int critic_inputs, int actions)
    : impl_(std::make_unique<Impl>(settings, inputs, critic_inputs, actions)) {}
PolicyLearner::~PolicyLearner() = default;

void PolicyLearner::evaluate(const Rollout& rollout, RolloutValues& values) const {
  const torch::NoGradGuard no_gradient;
  at::set_num_threads(1);
  const auto rows = static_cast<std::size_t>(rollout.rows()), actions = static_cast<std::size_t>(impl_->actions);
  const bool action_values = impl_->settings.action_values, magnet = impl_->settings.magnet;
  // What the critic learned lately is noise; its average is calmer.
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
    const torch::Tensor said = critic.forward(impl_->inputs_of_critic(part)).contiguous();
    torch::Tensor log;
    if (magnet) {
      const torch::Tensor output = impl_->magnet.forward(impl_->player_inputs(part));
      log = masked_log_softmax(output.narrow(1, 0, impl_->actions), impl_->legal_of(part)).contiguous();
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto row = static_cast<std::size_t>(part[i].row);
      if (action_values) {
        const float* const q = said.data_ptr<float>() + i * actions;
        std::copy_n(q, actions, &values.actions[row * actions]);
        values.value[row] = 0;
        for (LegalMask rest = rollout.legal(part[i].row); rest != 0; rest &= rest - 1)
          values.value[row] += rollout.policy(part[i].row, std::countr_zero(rest)) * q[std::countr_zero(rest)];
      } else {
        values.value[row] = said.data_ptr<float>()[i];
      }
      if (magnet) std::copy_n(log.data_ptr<float>() + i * actions, actions, &values.magnet[row * actions]);
    }
  }
}

PolicyLosses PolicyLearner::update(std::span<const PolicySample> batch, const PolicyRates& rates) {
  const auto workers = static_cast<std::size_t>(impl_->pool.size());
  std::vector<Impl::Slice> slices(workers);
  impl_->pool.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    const std::size_t begin = batch.size() * w / workers, end = batch.size() * (w + 1) / workers;
    slices[w] = impl_->slice_gradient(batch.subspan(begin, end - begin), batch.size(), rates);
  });
  std::vector<std::vector<torch::Tensor>> player, critic;
  PolicyLosses total;
  for (Impl::Slice& slice : slices) {
    player.push_back(std::move(slice.player));
    critic.push_back(std::move(slice.critic));
    total.policy += slice.losses.policy;
    total.entropy += slice.losses.entropy;
    total.magnet += slice.losses.magnet;
    total.proximal += slice.losses.proximal;
    total.value += slice.losses.value;
    total.critic += slice.losses.critic;
  }
  impl_->apply(impl_->player_adam, player, rates.learning_rate, &total.gradient_norm);
  impl_->apply(impl_->critic_adam, critic, rates.critic_learning_rate, nullptr);
  total.updates = 1;
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

double PolicyLearner::work() const { return 3 * (impl_->player.work() + impl_->critic.work()); }

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
    torch::Tensor& parameter = impl_->magnet.parameters[p];
    const std::vector<float>& values = file.get<float>("magnet." + impl_->magnet.names[p], parameter.sizes().vec());
    std::memcpy(parameter.data_ptr<float>(), values.data(), values.size() * sizeof(float));
  }
}

}  // namespace dealer
