#include "train/policy/policy_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dealer {
namespace {

constexpr float kLeast = 1e-8F;   // lower bound of probabilities in logarithms
constexpr float kSeldom = 0.05F;  // lower bound of probabilities as divisors

// Values of the actions less the value of the position. [actions]
void action_advantages(const PolicySample& sample, double correction, float* out, std::size_t actions) {
  const auto row = static_cast<std::size_t>(sample.row);
  const float value = sample.values->value[row], target = sample.values->target[row];
  const float* const q = &sample.values->actions[row * actions];
  for (LegalMask rest = sample.rollout->legal(sample.row); rest != 0; rest &= rest - 1)
    out[std::countr_zero(rest)] = q[std::countr_zero(rest)] - value;
  const auto action = static_cast<std::size_t>(sample.rollout->action(sample.row));
  // The action's value removes the noise after the action; the rest is weighted by the inverse probability.
  out[action] += static_cast<float>(correction) * (target - q[action]) /
                 std::max(sample.rollout->probability(sample.row)[action], kSeldom);
}

}  // namespace

void fill_rows(std::span<const PolicySample> samples, const PolicyLearnerSettings& settings, int num_actions,
               LossRows& rows) {
  const std::size_t count = samples.size(), actions = static_cast<std::size_t>(num_actions);
  const bool of_all = settings.gradient != PolicyGradient::kPpo;
  rows.actions = num_actions;
  rows.legal.resize(count);
  rows.action.resize(count);
  rows.played.assign(count * actions, 0);
  rows.advantage.assign(of_all ? count * actions : count, 0);
  rows.magnet.resize(settings.magnet ? count * actions : 0);
  rows.base.assign(settings.base.all_alike() ? 0 : count * actions, 0);
  rows.value_target.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const PolicySample& sample = samples[i];
    const auto row = static_cast<std::size_t>(sample.row);
    rows.legal[i] = sample.rollout->legal(sample.row);
    rows.action[i] = sample.rollout->action(sample.row);
    const float* const played = sample.rollout->probability(sample.row);
    for (LegalMask rest = rows.legal[i]; rest != 0; rest &= rest - 1) {
      const auto a = static_cast<std::size_t>(std::countr_zero(rest));
      rows.played[i * actions + a] = std::log(std::max(played[a], kLeast));
      if (!rows.base.empty())
        rows.base[i * actions + a] =
            -std::log(static_cast<float>(settings.base.sharing(rows.legal[i], static_cast<Action>(a))));
    }
    rows.value_target[i] = sample.values->target[row];
    if (of_all)
      action_advantages(sample, settings.correction, &rows.advantage[i * actions], actions);
    else
      rows.advantage[i] = sample.values->target[row] - sample.values->value[row];
    if (settings.magnet) std::copy_n(&sample.values->magnet[row * actions], actions, &rows.magnet[i * actions]);
  }
}

}  // namespace dealer
