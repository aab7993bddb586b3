#include <fmt/format.h>
#include <fmt/ranges.h>

#include "env/hands/census.h"
#include "env/hands/hand_classes.h"
#include "env/hands/joker_readings.h"

namespace dealer {
namespace {

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
