#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/hands/best_of_seven.h"
#include "env/hands/evaluator.h"
#include "env/hands/ranking_tables.h"
#include "env/hands/table_planes.h"

namespace dealer {

// All tables needed to look up a hand.
struct EvaluatorTables {
  CardKinds kinds;
  SuitSums suits;
  std::array<HandTables, kHandCards> of_size{};  // 1 to 5 cards
  std::optional<BestOfTables> best_of{};         // of six and seven, where the ranking allows
  // For every pip its position in the ranking's order and its suit, for every trump its number and suit; -1 for others.
  std::array<int, kMaxDeckCards> position{}, suit{};
  int trumps = -1;  // their suit, if there are any
  // For every card its suit in the deck, kMaxDeckSuits for jokers; and the number of cards of each.
  std::array<std::uint8_t, kMaxDeckCards> slot_of_card{};
  std::array<int, kMaxDeckSuits + 1> cards_of_suit{};
  TablePlanes planes5{}, planes7{};
  const HandTables& five() const { return of_size[kHandCards - 1]; }

  // 1 to 7 cards.
  std::uint32_t evaluate(std::span<const CardId> hand) const;
  // Value of the best five of one suit among six or seven cards, 0 for none. Needs best_of.
  std::uint32_t look_at_suits(std::span<const CardId> hand) const;

 private:
  std::uint32_t evaluate_subsets(std::span<const CardId> hand) const;
};

// Number of hands of five that compiling looks at, each by the kinds of its cards, with every reading of its jokers. It
// decides whether tables are cached; a clock would depend on the load of the machine.
std::size_t compiling_work(const RankingRules& rules);
// Tables that take at least this much work, a third of a second, are kept on disk (tables_cache.h).
inline constexpr std::size_t kWorthKeeping = 1'000'000;

// Loads the tables from disk or compiles them. Precondition: tables_refusal() is empty.
EvaluatorTables make_tables(const RankingRules& rules, std::size_t worth_keeping = kWorthKeeping);

// The value of every single card of the deck, without compiling the tables of larger hands.
std::vector<HandValue> card_values(const Evaluator& evaluator);

// Precondition: tables_refusal() is empty.
EvaluatorPtr make_table_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
