#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/hands/census.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::court {

// The frequency of a category relative to the next weaker one, as in docs/decks.md: rarity = log10(all / share), ratio
// = share of the next weaker category that occurs / share (for the weakest: all / share), verdict from both. Without
// rarity and ratio if the category never occurs.
struct Step {
  double share = 0;  // of all hands
  double ci95 = 0;   // half the width of its interval; 0 if all hands were counted
  std::optional<double> rarity, ratio;
  std::string verdict;
  int place = 0;  // by share, the most common is 1; on ties the weaker is first
};

// The steps for shares by category, weak to strong.
std::vector<Step> steps_of(std::span<const double> shares);

// Two categories whose frequencies contradict the ranking: the stronger one is more common, by more than both intervals
// where hands were sampled.
struct Contradiction {
  std::size_t weaker = 0, stronger = 0;
  friend auto operator<=>(const Contradiction&, const Contradiction&) = default;
};
// The contradictions in ranking order.
std::vector<Contradiction> contradictions_of(const std::vector<Step>& steps);

// The number of verdicts of each kind in a ranking. Fewer of the worst kind are better, then fewer of the next.
struct Verdicts {
  int categories = 0;  // number of categories that occur
  int xxx = 0, xx = 0, x = 0;

  int given() const { return xxx + xx + x; }
  // Smaller is better.
  friend auto operator<=>(const Verdicts& a, const Verdicts& b) {
    return std::array{a.xxx, a.xx, a.x} <=> std::array{b.xxx, b.xx, b.x};
  }
  friend bool operator==(const Verdicts& a, const Verdicts& b) { return std::is_eq(a <=> b); }
};
Verdicts verdicts_of(const std::vector<Step>& steps);

// The category frequencies of one kind of hand: as dealt, or after the draw.
struct Order {
  std::vector<Step> steps;  // by category
  std::vector<Contradiction> contradictions;
  Verdicts verdicts;
};
Order order_of(std::vector<Step> steps);

// What is counted in a deck.
struct DeckSums {
  std::uint64_t hands = 0;                  // of five cards
  std::vector<std::uint64_t> counts;        // of hands dealt, by category, weak to strong
  std::int64_t samples = 0;                 // hands sampled for the draw; 0: all were counted
  double strength_dealt = 0, strength = 0;  // fraction of all dealt hands that the hand beats, ties half
  std::array<double, 6> discarded{};        // distribution of the number of cards discarded
};

// The exact odds of a deck with its ranking.
struct DeckOdds : DeckSums {
  std::string deck, ranking;
  bool court = false;  // trumps or unranked suits are in the deck; otherwise it is for comparison
  int cards = 0;
  std::vector<std::pair<std::string, std::string>> names;  // of categories: code and name, weak to strong
  Order dealt, drawn;
  std::vector<Contradiction> swapped;  // pairs whose order the draw changes, whatever the ranking says of them
};

// The raw counts of a deck: the rest of DeckOdds is derived from them. Shares are by category, weak to strong.
struct DeckCounts : DeckSums {
  std::vector<double> dealt, drawn, drawn_ci95;  // half the widths of 95% intervals; 0 where all hands were counted
};

// Counts all hands, and for each of them (or for `samples` hands sampled with `seed`) the draw that maximises the mean
// strength of the final hand (env/hands/draw_odds.h). An exception from `progress` stops it.
DeckCounts count_deck(const Evaluator& evaluator, std::int64_t samples, std::uint64_t seed,
                      const CensusProgress& progress = {});
// The total of that progress.
std::int64_t work_of(const Evaluator& evaluator, std::int64_t samples);
DeckOdds odds_of(const Evaluator& evaluator, const DeckCounts& counts);

}  // namespace dealer::studies::court
