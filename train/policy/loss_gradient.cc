#include "train/policy/loss_gradient.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "env/core/at.h"

namespace dealer {
namespace {

// The numbers of one row at its legal actions, in order.
struct Legal {
  std::array<int, kMaxActions> action;
  std::size_t count = 0;

  explicit Legal(LegalMask mask) {
    for (; mask != 0; mask &= mask - 1) action[count++] = std::countr_zero(mask);
  }
  using Numbers = std::array<float, kMaxActions>;
  Numbers pick(const float* all) const {
    Numbers own;
    for (std::size_t i = 0; i < count; ++i) own[i] = all[action[i]];
    return own;
  }
  float mean(const Numbers& x) const {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += x[i];
    return sum / static_cast<float>(count);
  }
  // In place: log of the softmax.
  void log_softmax(Numbers& x) const {
    float high = x[0], sum = 0;
    for (std::size_t i = 1; i < count; ++i) high = std::max(high, x[i]);
    for (std::size_t i = 0; i < count; ++i) sum += std::exp(x[i] - high);
    const float log = high + std::log(sum);
    for (std::size_t i = 0; i < count; ++i) x[i] -= log;
  }
};
using Numbers = Legal::Numbers;

// The weights as floats, with derived values.
struct Weights {
  float clip, entropy, magnet, proximal, value, logit_limit, step, parts;
  Weights(const LossWeights& w, bool has_magnet)
      : clip(static_cast<float>(w.clip)),
        entropy(static_cast<float>(w.entropy)),
        magnet(has_magnet ? static_cast<float>(w.magnet) : 0),
        proximal(static_cast<float>(w.proximal)),
        value(static_cast<float>(w.value)),
        logit_limit(static_cast<float>(w.logit_limit)),
        step(static_cast<float>(1 / w.proximal)),
        parts(static_cast<float>(1 + (w.entropy + (has_magnet ? w.magnet : 0)) / w.proximal)) {}
};

// One decision: the network's output and its training data.
struct Row {
  Legal legal;
  Numbers logit, log, probability, played, magnet, advantage;
  Numbers from_base;      // log(probability / base weight)
  float ratio_advantage;  // of the action played
  std::size_t action;     // its place among the legal ones
};

// Log of the base weight, 0 if uniform.
float base(const Row& row, std::size_t i) { return row.log[i] - row.from_base[i]; }

// Each returns its term, and writes its gradient by the logits.

float ppo(const Row& row, const Weights& w, Numbers& gradient) {
  const std::size_t a = row.action;
  const float ratio = std::exp(row.log[a] - row.played[a]), advantage = row.ratio_advantage;
  const float clipped = std::clamp(ratio, 1 - w.clip, 1 + w.clip);
  const bool follows = ratio * advantage <= clipped * advantage;
  const float push = follows ? -advantage * ratio : 0;
  for (std::size_t i = 0; i < row.legal.count; ++i) gradient[i] = push * ((i == a ? 1.0F : 0.0F) - row.probability[i]);
  return -std::min(ratio * advantage, clipped * advantage);
}

float all_actions(const Row& row, Numbers& gradient) {
  float mean = 0;
  for (std::size_t i = 0; i < row.legal.count; ++i) mean += row.probability[i] * row.advantage[i];
  for (std::size_t i = 0; i < row.legal.count; ++i) gradient[i] = -row.probability[i] * (row.advantage[i] - mean);
  return -mean;
}

float mirror(const Row& row, const Weights& w, bool magnet, Numbers& gradient) {
  Numbers target;
  for (std::size_t i = 0; i < row.legal.count; ++i)
    target[i] = (row.played[i] + w.step * (row.advantage[i] + w.entropy * base(row, i)) +
                 (magnet ? w.step * w.magnet * row.magnet[i] : 0)) /
                w.parts;
  row.legal.log_softmax(target);
  float loss = 0;
  for (std::size_t i = 0; i < row.legal.count; ++i) {
    const float wanted = std::exp(target[i]);
    gradient[i] = row.probability[i] - wanted;
    loss -= wanted * row.log[i];
  }
  return loss;
}

float neurd(const Row& row, const Weights& w, bool magnet, Numbers& gradient) {
  const std::size_t n = row.legal.count;
  Numbers push;
  for (std::size_t i = 0; i < n; ++i)
    push[i] = row.advantage[i] - w.entropy * row.from_base[i] - w.proximal * (row.log[i] - row.played[i]) -
              (magnet ? w.magnet * (row.log[i] - row.magnet[i]) : 0);
  float expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += row.probability[i] * push[i];
  const float middle = row.legal.mean(row.logit);
  float loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    push[i] -= expected;
    const float height = row.logit[i] - middle;
    if ((height > w.logit_limit && push[i] > 0) || (height < -w.logit_limit && push[i] < 0)) push[i] = 0;
    loss -= height * push[i];
  }
  const float left = row.legal.mean(push);
  for (std::size_t i = 0; i < n; ++i) gradient[i] = left - push[i];
  return loss;
}

// KL(policy, other); adds its gradient.
float divergence(const Row& row, const Numbers& other, float weight, Numbers& gradient) {
  float sum = 0;
  for (std::size_t i = 0; i < row.legal.count; ++i) sum += row.probability[i] * (row.log[i] - other[i]);
  for (std::size_t i = 0; weight != 0 && i < row.legal.count; ++i)
    gradient[i] += weight * row.probability[i] * (row.log[i] - other[i] - sum);
  return sum;
}

}  // namespace

void log_softmax(const float* logits, LegalMask mask, int actions, float* log) {
  const Legal legal(mask);
  Numbers own = legal.pick(logits);
  legal.log_softmax(own);
  std::fill_n(log, actions, 0.0F);
  for (std::size_t i = 0; i < legal.count; ++i) log[legal.action[i]] = own[i];
}

LossSums policy_loss_gradient(const LossRows& rows, const float* output, const LossWeights& weights, double share,
                              float* gradient) {
  const auto actions = static_cast<std::size_t>(rows.actions), width = actions + 1;
  const bool magnet = !rows.magnet.empty(), ppo_only = weights.gradient == PolicyGradient::kPpo;
  // Updates whose own term includes the others.
  const bool whole = weights.gradient == PolicyGradient::kNeurd || weights.gradient == PolicyGradient::kMirror;
  const Weights w(weights, magnet);
  const auto factor = static_cast<float>(share);
  LossSums sums;
  std::fill_n(gradient, rows.rows() * width, 0.0F);
  for (std::size_t r = 0; r < rows.rows(); ++r, output += width, gradient += width) {
    Row row{Legal(rows.legal[r]), {}, {}, {}, {}, {}, {}, {}, 0, 0};
    const std::size_t n = row.legal.count;
    row.logit = row.log = row.legal.pick(output);
    row.legal.log_softmax(row.log);
    for (std::size_t i = 0; i < n; ++i) row.probability[i] = std::exp(row.log[i]);
    row.from_base = row.log;
    if (!rows.base.empty())
      for (std::size_t i = 0; i < n; ++i) row.from_base[i] -= rows.base[r * actions + at(row.legal.action[i])];
    row.played = row.legal.pick(&rows.played[r * actions]);
    if (magnet) row.magnet = row.legal.pick(&rows.magnet[r * actions]);
    Numbers by_logit;
    if (ppo_only) {
      row.ratio_advantage = rows.advantage[r];
      row.action = static_cast<std::size_t>(
          std::find(row.legal.action.begin(), row.legal.action.begin() + n, rows.action[r]) - row.legal.action.begin());
      sums.policy += static_cast<double>(ppo(row, w, by_logit));
    } else {
      row.advantage = row.legal.pick(&rows.advantage[r * actions]);
      sums.policy +=
          static_cast<double>(weights.gradient == PolicyGradient::kAllActions ? all_actions(row, by_logit)
                              : weights.gradient == PolicyGradient::kMirror   ? mirror(row, w, magnet, by_logit)
                                                                              : neurd(row, w, magnet, by_logit));
    }
    float entropy = 0;
    for (std::size_t i = 0; i < n; ++i) entropy -= row.probability[i] * row.from_base[i];
    sums.entropy += static_cast<double>(entropy);
    for (std::size_t i = 0; !whole && i < n; ++i)
      by_logit[i] += w.entropy * row.probability[i] * (row.from_base[i] + entropy);
    sums.proximal += static_cast<double>(divergence(row, row.played, whole ? 0 : w.proximal, by_logit));
    if (magnet) sums.magnet += static_cast<double>(divergence(row, row.magnet, whole ? 0 : w.magnet, by_logit));
    for (std::size_t i = 0; i < n; ++i) gradient[row.legal.action[i]] = factor * by_logit[i];
    const float error = output[actions] - rows.value_target[r];
    sums.value += 0.5 * static_cast<double>(error) * static_cast<double>(error);
    gradient[actions] = factor * w.value * error;
  }
  return sums;
}

}  // namespace dealer
