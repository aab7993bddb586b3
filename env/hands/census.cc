#include "env/hands/census.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "env/core/error.h"
#include "env/hands/hand_classes.h"
#include "env/hands/joker_readings.h"

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

std::uint64_t bit(int category) { return std::uint64_t{1} << category; }

std::string message(const Ranking& ranking, const Deck& deck, const Unreachable& found) {
  const Category& category = ranking.categories()[static_cast<std::size_t>(found.category)];
  if (found.taken_by.empty())
    return fmt::format("{}: the category '{}' can never win: no hand of {} of '{}' holds it", category.where,
                       category.code, hand_size_text(ranking.hand_cards()), deck.name());
  std::vector<std::string> codes;
  for (const int taker : found.taken_by) codes.push_back(ranking.categories()[static_cast<std::size_t>(taker)].code);
  return fmt::format("{}: the category '{}' can never win: every hand that holds it counts as {}", category.where,
                     category.code, fmt::join(codes, " or "));
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

std::vector<Unreachable> find_unreachable(const Evaluator& evaluator, const Census& census) {
  std::uint64_t wanted = 0;
  for (std::size_t c = 0; c < census.rows.size(); ++c)
    if (census.rows[c].weight == 0) wanted |= bit(static_cast<int>(c));
  if (wanted == 0) return {};
  const RankingRules rules(evaluator.deck(), evaluator.ranking());
  const JokerReadings readings(rules);
  std::vector<std::uint64_t> takers(census.rows.size(), 0);
  HandClasses(rules, HandClasses::Same::kCategory)
      .for_each(census.cards, [&](std::span<const CardId> hands, std::span<const std::uint64_t> weights) {
        for (std::size_t i = 0; i < weights.size(); ++i) {
          const auto cards = static_cast<std::size_t>(census.cards);
          const auto hand = hands.subspan(i * cards, cards);
          std::uint64_t held = 0;
          readings.for_each(hand,
                            [&](const RankSide&, std::uint64_t holding, std::span<const Face>) { held |= holding; });
          if ((held &= wanted) == 0) continue;
          const std::uint64_t taker = bit(evaluator.category(evaluator.evaluate(hand)));
          for (std::size_t c = 0; c < takers.size(); ++c)
            if (((held >> c) & 1) != 0) takers[c] |= taker;
        }
      });
  std::vector<Unreachable> all;
  for (int c = 0; c < rules.categories(); ++c) {
    if (((wanted >> c) & 1) == 0) continue;
    Unreachable found{c, {}, {}};
    for (int taker = 0; taker < rules.categories(); ++taker)
      if (((takers[static_cast<std::size_t>(c)] >> taker) & 1) != 0) found.taken_by.push_back(taker);
    found.message = message(evaluator.ranking(), evaluator.deck(), found);
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace dealer
