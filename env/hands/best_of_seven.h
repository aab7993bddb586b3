#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/hands/ranking_tables.h"

namespace dealer {

// The best five of six or seven cards, without trying all 6 or 21 hands of five. A hand of five counts as the strongest
// category that holds, so the best five is the strongest category that holds for some five; and whether one does
// follows
//   from the ranks alone: pairs to five of a kind, straights;
//   from the suits alone: how many of each suit;
//   or from the cards of one suit of which there are five: flushes that compare by ranks, straight flushes.
// The value is the largest of the three. No such tables exist where a ranking has other categories (two pair of one
// colour, say), or where lowball depends on suits.
struct BestOfTables {
  CardKinds kinds;  // all trumps are of one kind here
  SuitSums suits;
  // Index 0: of six cards, 1: of seven.
  std::array<PackedTable, 2> by_ranks;
  std::array<std::vector<std::uint32_t>, 2> by_suits;  // value; kLook: a suit of pips or the trumps must be looked at
  // [jokers][ranks held of one suit]: the best flush with that many jokers, 0 for none. Empty: no category needs it.
  std::array<std::vector<std::uint32_t>, kMaxJokers + 1> one_suit;
  std::uint32_t trump_run = 0;  // value of five consecutive trumps
  int run_length = 0;           // of trumps; 0: no category asks for it

  static constexpr std::uint32_t kLook = std::uint32_t{1} << 31;
};

// With kinds and suits only, tables empty.
BestOfTables empty_best_of(const RankingRules& rules);
// Nothing if the ranking has no such tables. `five`: the tables of five cards.
std::optional<BestOfTables> compile_best_of(const RankingRules& rules, const HandTables& five);

}  // namespace dealer
