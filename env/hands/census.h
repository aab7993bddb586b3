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
  // log10(total / count), and the ratio of the next weaker category's count to this one's (for the weakest: of all
  // hands). Nothing if no hand counts as the category; the others are compared as if it did not exist.
  std::optional<double> rarity, ratio;
  // XXX: rarer than the stronger category (ratio < 1); XX: ratio < 1.05; X: ratio < 1.1, or a step of more than 3 among
  // the common hands (rarity < 3); else empty.
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

// Progress of long work: hands done so far, out of the total.
using CensusProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Counts all hands exactly, looking up one hand of each class (hand_classes.h). Throws UsageError unless `cards` is the
// ranking's number of cards, or 7 where that is 5, and the deck has that many.
Census take_census(const Evaluator& evaluator, int cards, const CensusProgress& progress = {});

std::string_view verdict(double ratio, double rarity);
// The verdict in words, for readers of a table; empty for no verdict.
std::string verdict_meaning(std::string_view verdict);

// A category that no hand counts as.
struct Unreachable {
  int category = 0;
  std::vector<int> taken_by;  // the categories that hands holding this one count as; empty: it holds for no hand
  std::string message;        // a line that names its position in the ranking's file
};
std::vector<Unreachable> find_unreachable(const Evaluator& evaluator, const Census& census);

}  // namespace dealer
