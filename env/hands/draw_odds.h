#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/hands/census.h"
#include "env/hands/evaluator.h"

namespace dealer {

// A mean, and half the width of its 95% interval; 0 where all hands were counted.
struct Estimate {
  double mean = 0, ci95 = 0;
};

// What hands of five become by one draw with the best discards (docs/decks.md).
struct DrawOdds {
  bool exact = true;
  std::int64_t samples = 0;  // dealt hands or compositions that were drawn by lot, unless exact
  // What the discards make as large as possible: the share of all dealt hands that the final hand beats, ties half, or
  // the chance of `at_least` or a stronger category. After the draw, and as dealt.
  std::optional<int> at_least;
  Estimate goal, goal_dealt;
  std::array<Estimate, 6> discarded{};  // how often so many cards are discarded
  struct Row {
    std::string code, name;
    Estimate dealt, drawn;  // probability of that category before and after
  };
  std::vector<Row> rows;  // weak to strong
};

struct DrawOptions {
  std::optional<int> at_least;  // a category; nothing: strength
  // 0: all hands. Otherwise so many dealt hands by lot, each with all its draws. Which cards of a `replace_random` deck
  // are in play is always drawn by lot: so many compositions (0: kCompositions), each with all its hands.
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
  CensusProgress progress;
};
inline constexpr std::int64_t kCompositions = 8;

// Throws UsageError when the deck has fewer than ten cards in play.
DrawOdds draw_odds(const Evaluator& evaluator, const DrawOptions& options);

}  // namespace dealer
