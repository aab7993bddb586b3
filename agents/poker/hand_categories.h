#pragma once

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

}  // namespace dealer::poker
