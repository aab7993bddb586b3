#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/hands/evaluator.h"

namespace dealer {

// The category of a hand, and the cards that determine it.
struct HandReading {
  int category = 0;
  HandValue value = 0;
  std::vector<CardId> best;                             // the five that count, or all if there are fewer
  std::vector<std::pair<CardId, std::string>> read_as;  // the card that each joker among them stands for: "Kd"
  std::uint64_t key = 0;                                // RankingRules::key
  int trumps = 0, unranked = 0;                         // among the best
};

// 1 to 7 distinct cards of the deck; returns one of the equally good readings. Tries all of them: for display, not for
// loops. Throws UsageError on another number of cards, and on cards that are never in play together (all four cards of
// a rank where a Washizu card stands in for one).
HandReading read_hand(const Evaluator& evaluator, std::span<const CardId> hand);

// Name of a hand under the ranking: "two pair, kings and eights", "flush, ace high", "8-6-4-3-A" (a low hand without a
// pair); the category alone where hands of one category tie. Throws like read_hand().
std::string hand_name(const Evaluator& evaluator, std::span<const CardId> hand);

// For display: the definition of the category, "two cards of one rank" ("pips" only in decks that have other cards),
// and an example hand of this deck, "8s 8h 6d 4c 2s". Empty where the ranking has none.
std::string definition_of(const Evaluator& evaluator, int category);
std::string example_of(const Evaluator& evaluator, int category);

struct HandComparison {
  HandReading a, b;
  int result = 0;   // 1: a wins; -1: b wins; 0: a tie
  std::string why;  // a sentence for people
};

// The winning hand, and what decides. The hands may share cards (those on the board). Throws UsageError unless they
// have the same number of cards, or both five or more.
HandComparison compare_hands(const Evaluator& evaluator, std::span<const CardId> a, std::span<const CardId> b);

}  // namespace dealer
