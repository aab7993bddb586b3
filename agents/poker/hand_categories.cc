#include "agents/poker/hand_categories.h"

namespace dealer::poker {

HandCategories::HandCategories(const Evaluator& evaluator) {
  const int categories = static_cast<int>(evaluator.ranking().categories().size());
  const HandValue values = evaluator.values();
  // The smallest value of that category or a stronger one; `values` where there is none.
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
