#include "agents/search/search_rater.h"

#include <algorithm>
#include <utility>

#include "env/core/random.h"

namespace dealer {
namespace {

class SearchRater final : public ChoiceRater {
 public:
  explicit SearchRater(std::unique_ptr<Search> search) : search_(std::move(search)) {}

  ChoiceRating rate(const Observation& seen, std::span<const Action> given, std::uint64_t seed) override {
    SearchResult found = search_->run(seen, seed);
    ChoiceRating rating;
    rating.method = "search";
    rating.choices = std::move(found.choices);
    rating.favourite = found.chosen;
    const std::vector<Action> line(given.begin(), given.end());
    rating.given = place_of(line, rating.choices);
    if (rating.given == rating.favourite) {
      rating.difference = 0;
      return rating;
    }
    const std::vector<Action> pair[] = {rating.choices[rating.favourite].actions, line};
    if (std::optional<Comparison> compared = search_->compare(seen, pair, derive(seed, 1))) {
      take(*compared, rating);
    } else if (rating.given == rating.choices.size()) {
      rating.choices.push_back({line, {}, 0, 0, 0});
    }
    return rating;
  }

 private:
  static std::size_t place_of(const std::vector<Action>& line, const std::vector<RatedChoice>& choices) {
    const auto same = [&](const RatedChoice& choice) { return choice.actions == line; };
    return static_cast<std::size_t>(std::find_if(choices.begin(), choices.end(), same) - choices.begin());
  }

  static void take(Comparison& compared, ChoiceRating& rating) {
    if (rating.given == rating.choices.size()) rating.choices.emplace_back();
    rating.choices[rating.favourite] = std::move(compared.first);
    rating.choices[rating.given] = std::move(compared.second);
    rating.difference = compared.difference;
    rating.error = compared.error;
  }

  std::unique_ptr<Search> search_;
};

}  // namespace

std::unique_ptr<ChoiceRater> make_search_rater(std::unique_ptr<Search> search) {
  return std::make_unique<SearchRater>(std::move(search));
}

}  // namespace dealer
