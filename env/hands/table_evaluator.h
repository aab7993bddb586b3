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

// All that looking a hand up takes.
struct EvaluatorTables {
  CardKinds kinds;
  SuitSums suits;
  std::array<HandTables, kHandCards> of_size{};  // 1 to 5 cards
  std::optional<BestOfTables> best_of{};         // of six and seven, where the ranking allows
  // Of every pip the position in the ranking's order and its suit, of every trump its number and suit; -1 for others.
  std::array<int, kMaxDeckCards> position{}, suit{};
  int trumps = -1;  // their suit, if there are any
  // Of every card its suit in the deck, kMaxDeckSuits for jokers; how many cards there are of each.
  std::array<std::uint8_t, kMaxDeckCards> slot_of_card{};
  std::array<int, kMaxDeckSuits + 1> cards_of_suit{};
  TablePlanes planes5{}, planes7{};
  const HandTables& five() const { return of_size[kHandCards - 1]; }

  // 1 to 7 cards.
  std::uint32_t evaluate(std::span<const CardId> hand) const;
  // The best five of one suit among six or seven cards, 0 for none. Needs best_of.
  std::uint32_t look_at_suits(std::span<const CardId> hand) const;

 private:
  std::uint32_t evaluate_subsets(std::span<const CardId> hand) const;
};

// Hands of five that compiling looks at, each by the kinds of its cards, with every reading of its jokers. A clock
// would make it depend on what else the machine does whether tables are kept.
std::size_t compiling_work(const RankingRules& rules);
// With so much work, a third of a second, they are kept on disk (tables_cache.h).
inline constexpr std::size_t kWorthKeeping = 1'000'000;

// From disk or compiled. Precondition: tables_refusal() is empty.
EvaluatorTables make_tables(const RankingRules& rules, std::size_t worth_keeping = kWorthKeeping);

// What the evaluator says of every card of the deck alone, without having the tables of larger hands compiled.
std::vector<HandValue> card_values(const Evaluator& evaluator);

// Precondition: tables_refusal() is empty.
EvaluatorPtr make_table_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
