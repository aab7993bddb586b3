#include "arena/report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace dealer::studies {

void Sentences::say(const Figure& of, const Saying& saying) {
  const Estimate seen = of.estimate(saying.figure);
  const bool compares = !saying.below.empty();
  const bool is_above = !compares || seen.above(saying.level), is_below = compares && seen.below(saying.level);
  const std::string_view begin = is_above ? saying.above : is_below ? saying.below : saying.neither;
  add(seen.known() ? of.fill(fmt::format("{}: {}.", begin, saying.rest)) : "", is_above || is_below);
}

void Sentences::add(std::string_view sentence, bool seen) {
  const int rank = rank_++;
  if (!sentence.empty()) list_.push_back({fmt::format("{}{}", front_, sentence), seen, rank});
}

std::vector<std::string> Sentences::take() {
  std::stable_sort(list_.begin(), list_.end(), [](const Sentence& a, const Sentence& b) {
    return std::tuple(!a.seen, a.rank) < std::tuple(!b.seen, b.rank);
  });
  std::vector<std::string> texts;
  for (Sentence& sentence : list_) texts.push_back(std::move(sentence.text));
  return texts;
}

}  // namespace dealer::studies
