#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/hands/evaluator.h"

namespace dealer {

// What a hand counts as, and by which of its cards.
struct HandReading {
  int category = 0;
  HandValue value = 0;
  std::vector<CardId> best;                             // the five that count, or all where there are fewer
  std::vector<std::pair<CardId, std::string>> read_as;  // of every joker among them the card it stands for: "Kd"
  std::uint64_t key = 0;                                // RankingRules::key
  int trumps = 0, unranked = 0;                         // among the best
};

// 1 to 7 distinct cards of the deck; of readings that are equally good, one. Tries them all: for people, not for loops.
// Throws UsageError on another number of cards, and on cards that are never in play together (all four cards of a rank
// where a Washizu card stands in for one).
HandReading read_hand(const Evaluator& evaluator, std::span<const CardId> hand);

// What a hand is called by the ranking: "two pair, kings and eights", "flush, ace high", "8-6-4-3-A" (a low hand
// without a pair); the category alone where hands of one category tie. Throws as read_hand().
std::string hand_name(const Evaluator& evaluator, std::span<const CardId> hand);

// For people: what makes a hand count as the category, "two cards of one rank", pips being called so only where there
// are other cards, and a hand of this deck that does, "8s 8h 6d 4c 2s". Empty where the ranking has none.
std::string definition_of(const Evaluator& evaluator, int category);
std::string example_of(const Evaluator& evaluator, int category);

struct HandComparison {
  HandReading a, b;
  int result = 0;   // 1: a wins; -1: b wins; 0: a tie
  std::string why;  // a sentence for people
};

// Which hand wins, and what decides. The hands may share cards (those on the board). Throws UsageError unless they have
// as many cards as one another, or both five or more.
HandComparison compare_hands(const Evaluator& evaluator, std::span<const CardId> a, std::span<const CardId> b);

}  // namespace dealer
