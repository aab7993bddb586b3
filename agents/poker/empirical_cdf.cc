#include "agents/poker/empirical_cdf.h"

#include <algorithm>
#include <utility>

namespace dealer::poker {
namespace {

// Larger tables would not stay in the cache, and rankings without tables number their values with wide gaps.
constexpr HandValue kMostValues = 1 << 16;

}  // namespace

EmpiricalCdf::EmpiricalCdf(EvaluatorPtr evaluator, bool low_half, const std::vector<HandValue>& hands)
    : evaluator_(std::move(evaluator)), low_half_(low_half) {
  for (const HandValue value : hands) values_.push_back(as_ranked(value));
  std::sort(values_.begin(), values_.end());
  const HandValue values = evaluator_->values();
  if (values > kMostValues) return;
  std::vector<std::uint16_t> by_value;
  for (HandValue value = 0; value < values; ++value) by_value.push_back(static_cast<std::uint16_t>(search(value)));
  by_value_ = std::move(by_value);
}

void EmpiricalCdf::add_twice_beaten(std::span<const HandValue> values, std::span<std::uint32_t> sums) const {
  if (by_value_.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += search(values[i]);
    return;
  }
  const std::uint16_t* by_value = by_value_.data();
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += by_value[values[i]];
}

std::uint32_t EmpiricalCdf::search(HandValue value) const {
  const auto [first, last] = std::equal_range(values_.begin(), values_.end(), as_ranked(value));
  return static_cast<std::uint32_t>((first - values_.begin()) + (last - values_.begin()));
}

}  // namespace dealer::poker
