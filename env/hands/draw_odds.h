#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/hands/census.h"
#include "env/hands/evaluator.h"

namespace dealer {

// A mean with the half-width of its 95% confidence interval, 0 if all hands were counted.
struct Estimate {
  double mean = 0, ci95 = 0;
};

// Results of drawing once to hands of five with the best discards (docs/decks.md).
struct DrawOdds {
  bool exact = true;
  std::int64_t samples = 0;  // sampled hands or compositions, unless exact
  // The objective of the discards: the share of all dealt hands that the final hand beats, ties counting half, or the
  // probability of `at_least` or a stronger category. After the draw, and as dealt.
  std::optional<int> at_least;
  Estimate goal, goal_dealt;
  std::array<Estimate, 6> discarded{};  // frequency of each number of discards
  struct Row {
    std::string code, name;
    Estimate dealt, drawn;  // probability of that category before and after
  };
  std::vector<Row> rows;  // weak to strong
};

struct DrawOptions {
  std::optional<int> at_least;  // a category; nothing: strength
  // 0: all hands. Otherwise the number of hands dealt at random, each with all its draws. The composition of a
  // `replace_random` deck is always random: this many compositions (0: kCompositions), each with all its hands.
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
  CensusProgress progress;
};
inline constexpr std::int64_t kCompositions = 8;

// Throws UsageError when the deck has fewer than ten cards in play.
DrawOdds draw_odds(const Evaluator& evaluator, const DrawOptions& options);

}  // namespace dealer
