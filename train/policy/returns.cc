#include "train/policy/returns.h"

namespace dealer {

void lambda_returns(const Rollout& rollout, std::span<const float> values, double lambda, double unit,
                    std::span<float> returns) {
  const auto mix = static_cast<float>(lambda), scale = static_cast<float>(1 / unit);
  const std::span<const std::int32_t> learned = rollout.learned();
  for (std::size_t i = learned.size(); i-- > 0;) {
    const std::int32_t row = learned[i];
    if (!rollout.resolved(row)) continue;
    float result = scale * rollout.reward(row);
    const std::int32_t next = rollout.next(row);
    if (next >= 0) {
      const auto n = static_cast<std::size_t>(next);
      result += rollout.resolved(next) ? (1 - mix) * values[n] + mix * returns[n] : values[n];
    }
    returns[static_cast<std::size_t>(row)] = result;
  }
}

}  // namespace dealer
