#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "env/hands/evaluator.h"

namespace dealer::poker {

// Categories of hands of five, six and seven cards, found faster than the evaluator does. Immutable.
class HandCategories {
 public:
  explicit HandCategories(const Evaluator& evaluator);
  // Index into Ranking::categories().
  std::size_t of(HandValue value) const {
    std::size_t category = 0;
    for (const HandValue first : first_) category += value >= first ? 1 : 0;
    return category;
  }
  // The smallest value that qualifies.
  HandValue qualifying() const { return qualifying_; }

 private:
  std::vector<HandValue> first_;  // of every category but the weakest
  HandValue qualifying_ = 0;
};

// "PREFIX.P1" and so on, by category.
void add_category_names(const std::string& prefix, const Ranking& ranking, std::vector<std::string>& names);

// Many values, and how many of them a value beats. Immutable.
class Percentiles {
 public:
  Percentiles() = default;
  explicit Percentiles(std::vector<HandValue> values);
  // Ties counted half; a half where there are none.
  float below(HandValue value) const {
    if (values_.empty()) return 0.5F;
    const auto [first, last] = std::equal_range(values_.begin(), values_.end(), value);
    return static_cast<float>((first - values_.begin()) + (last - values_.begin())) /
           (2 * static_cast<float>(values_.size()));
  }

 private:
  std::vector<HandValue> values_;
};

}  // namespace dealer::poker
