#include "agents/poker/hand_cdf.h"

#include <utility>

namespace dealer::poker {
namespace {

// Larger tables would not stay in the cache, and rankings without tables number their values with wide gaps.
constexpr HandValue kMostValues = 1 << 16;

}  // namespace

HandCdf::HandCdf(EvaluatorPtr evaluator, bool low_half, const std::vector<HandValue>& hands)
    : evaluator_(std::move(evaluator)), low_half_(low_half) {
  std::vector<HandValue> ranked;
  for (const HandValue value : hands) ranked.push_back(as_ranked(value));
  values_ = EmpiricalCdf(std::move(ranked));
  const HandValue values = evaluator_->values();
  if (values > kMostValues) return;
  std::vector<std::uint16_t> by_value;
  for (HandValue value = 0; value < values; ++value) by_value.push_back(static_cast<std::uint16_t>(search(value)));
  by_value_ = std::move(by_value);
}

void HandCdf::add_twice_beaten(std::span<const HandValue> values, std::span<std::uint32_t> sums) const {
  if (by_value_.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += search(values[i]);
    return;
  }
  const std::uint16_t* by_value = by_value_.data();
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += by_value[values[i]];
}

}  // namespace dealer::poker
