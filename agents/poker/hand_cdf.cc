#include "agents/poker/hand_cdf.h"

#include <utility>

namespace dealer::poker {
namespace {

// Larger tables would exceed the cache, and rankings without tables number their values with wide gaps.
constexpr HandValue kMostValues = 1 << 16;
constexpr std::size_t kMostInCdf = 32767;

}  // namespace

HandCdf::HandCdf(EvaluatorPtr evaluator, bool low_half, const std::vector<HandValue>& hands)
    : evaluator_(std::move(evaluator)), low_half_(low_half) {
  std::vector<HandValue> ranked;
  ranked.reserve(hands.size());
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

void PotHalves::add(std::span<const CardId> hand, Hands& hands) const {
  if (hands.high.size() == kMostInCdf) return;
  hands.high.push_back(high->evaluate(hand));
  if (low) hands.low.push_back(low->evaluate(hand));
}

PotHalves::Cdfs PotHalves::cdfs(const Hands& hands) const {
  return {HandCdf(high, false, hands.high), low ? HandCdf(low, true, hands.low) : HandCdf()};
}

HandCategories::HandCategories(const Evaluator& evaluator) {
  const int categories = static_cast<int>(evaluator.ranking().categories().size());
  const HandValue values = evaluator.values();
  // The lowest value of that category or a stronger one; `values` if there is none.
  const auto first_of = [&](int category) {
    HandValue low = 0, high = values;
    while (low < high) {
      const HandValue middle = low + (high - low) / 2;
      if (evaluator.category(middle) < category)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  for (int category = 1; category < categories; ++category) first_.push_back(first_of(category));
  qualifying_ = first_of(evaluator.ranking().qualifier());
}

void add_category_names(const std::string& prefix, const Ranking& ranking, std::vector<std::string>& names) {
  for (const Category& category : ranking.categories()) names.push_back(prefix + '.' + category.code);
}

}  // namespace dealer::poker
