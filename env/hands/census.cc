#include "env/hands/census.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "env/core/error.h"
#include "env/hands/hand_classes.h"

namespace dealer {
namespace {

constexpr double kContradiction = 1, kTooClose = 1.05, kClose = 1.1, kWide = 3, kCommon = 3;

void fill_rows(Census& census) {
  const double total = static_cast<double>(census.total);
  double weaker = total;
  for (CensusRow& row : census.rows) {
    row.count = static_cast<double>(row.weight) / static_cast<double>(census.scale);
    if (row.weight == 0) continue;
    row.rarity = std::log10(total / row.count);
    row.ratio = weaker / row.count;
    row.verdict = verdict(*row.ratio, *row.rarity);
    weaker = row.count;
  }
}

}  // namespace

std::string_view verdict(double ratio, double rarity) {
  if (ratio < kContradiction) return "XXX";
  if (ratio < kTooClose) return "XX";
  if (ratio < kClose || (ratio > kWide && rarity < kCommon)) return "X";
  return "";
}

std::string verdict_meaning(std::string_view verdict) {
  if (verdict == "XXX")
    return fmt::format("ratio below {}: more common than the category above it; the order contradicts the odds",
                       kContradiction);
  if (verdict == "XX") return fmt::format("ratio below {}: hardly rarer than the category above it", kTooClose);
  if (verdict == "X")
    return fmt::format("ratio below {}: nearly as common; or above {} where rarity is below {}: too large a step",
                       kClose, kWide, kCommon);
  return "";
}

std::string hand_size_text(int cards) {
  constexpr std::array<std::string_view, 8> kWords = {"no", "one", "two", "three", "four", "five", "six", "seven"};
  return fmt::format("{} card{}{}", kWords.at(static_cast<std::size_t>(cards)), cards == 1 ? "" : "s",
                     cards > kHandCards ? ", the best five" : "");
}

Census take_census(const Evaluator& evaluator, int cards, const CensusProgress& progress) {
  const int whole = evaluator.ranking().hand_cards();
  if (cards != whole && (cards != 7 || whole != kHandCards))
    throw UsageError(fmt::format("hands of {} cards cannot be counted; expected {}{}", cards, whole,
                                 whole == kHandCards ? " or 7" : ""));
  const Deck& deck = evaluator.deck();
  if (deck.cards_in_play() < cards)
    throw UsageError(fmt::format("'{}' has {} cards; a hand has {}", deck.name(), deck.cards_in_play(), cards));
  const RankingRules rules(deck, evaluator.ranking());
  const HandClasses classes(rules, HandClasses::Same::kCategory);
  Census census;
  census.cards = cards;
  census.scale = classes.scale(cards);
  const std::uint64_t all = classes.total(cards);
  census.total = all / census.scale;
  for (const Category& category : evaluator.ranking().categories())
    census.rows.push_back({category.code, category.name, 0, 0, {}, {}, {}});
  std::vector<HandValue> values;
  std::uint64_t done = 0;
  classes.for_each(cards, [&](std::span<const CardId> hands, std::span<const std::uint64_t> weights) {
    values.resize(weights.size());
    evaluator.evaluate_hands(static_cast<std::size_t>(cards), hands, values);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      census.rows[static_cast<std::size_t>(evaluator.category(values[i]))].weight += weights[i];
      done += weights[i];
    }
    if (progress) progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(all));
  });
  fill_rows(census);
  return census;
}

}  // namespace dealer
