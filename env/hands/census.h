#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/hands/evaluator.h"

namespace dealer {

// One category of a ranking among all hands of a deck (docs/decks.md).
struct CensusRow {
  std::string code, name;
  std::uint64_t weight = 0;  // hands, times Census::scale
  double count = 0;          // hands; a mean over all compositions with `replace_random`
  // log10(total / count), and how many times as many hands the next weaker category has (the weakest: all hands).
  // Nothing where no hand counts as the category; the others are compared as if it were not there.
  std::optional<double> rarity, ratio;
  // XXX: fewer than the stronger category should have (ratio < 1); XX: ratio < 1.05; X: ratio < 1.1, or a step of more
  // than 3 among the common hands (rarity < 3); else empty.
  std::string verdict;
};

struct Census {
  int cards = 0;                // Ranking::hand_cards(), or 7: the best five of them
  std::uint64_t scale = 1;      // 4^cards with `replace_random`
  std::uint64_t total = 0;      // hands, a whole number always
  std::vector<CensusRow> rows;  // weak to strong
};

// "four cards", "seven cards, the best five".
std::string hand_size_text(int cards);

// Of work that can take long: how much is done, of how much.
using CensusProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Counts all hands, exactly: one of each class (hand_classes.h) is looked up. Throws UsageError unless `cards` is the
// ranking's number of cards, or 7 where that is 5, and the deck has as many.
Census take_census(const Evaluator& evaluator, int cards, const CensusProgress& progress = {});

std::string_view verdict(double ratio, double rarity);
// In words, for those who read a table; empty for no verdict.
std::string verdict_meaning(std::string_view verdict);

// A category that no hand counts as.
struct Unreachable {
  int category = 0;
  std::vector<int> taken_by;  // the categories that hands count as for which it holds; empty: it holds for none
  std::string message;        // a line that names its place in the ranking's file
};
std::vector<Unreachable> find_unreachable(const Evaluator& evaluator, const Census& census);

}  // namespace dealer
