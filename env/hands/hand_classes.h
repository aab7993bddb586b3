#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "env/hands/ranking_rules.h"

namespace dealer {

// Enumerates all hands of a deck up to equivalence under a ranking: a hand of each class, and the number of hands it
// represents. Suits that no category names, of the same colour where colours matter, are exchangeable (24 hands of four
// suits become one); cards of an unranked suit and jokers are alike; of trumps only the runs matter, or nothing.
// Counting C(78,7) hands this way takes seconds.
class HandClasses {
 public:
  // The equivalence of a class: equal category, or also equal value and equal results of drawing. `rules` must outlive
  // this object.
  enum class Same : std::uint8_t { kCategory, kPlay };
  HandClasses(const RankingRules& rules, Same same);

  // Hands in sequence with their weights, which add up to total(). For `replace_random` decks the weight is the
  // probability of being in play: with k cards of a rank from the four ordinary suits, (4 - k) / 4 for every rank.
  using Visit = std::function<void(std::span<const CardId> hands, std::span<const std::uint64_t> weights)>;
  // `cards`: 1 to 7. Calls `visit` with batches of some thousand hands.
  void for_each(int cards, const Visit& visit) const;

  // Weights are whole numbers: multiples of 1 / scale. 1, but 4^cards with `replace_random`.
  std::uint64_t scale(int cards) const;
  // Number of hands of `cards` cards, times scale.
  std::uint64_t total(int cards) const;

 private:
  friend class HandClassesWalk;

  // A selection of cards other than pips, and the number of equivalent selections.
  struct Others {
    std::vector<CardId> cards;
    std::uint64_t ways = 1;
  };

  void list_suits(const RankingRules& rules);
  void list_others(const RankingRules& rules, Same same);
  void combine(const std::vector<std::vector<Others>>& groups, std::size_t group, const Others& so_far);

  const Deck* deck_;
  std::vector<std::vector<int>> exchangeable_;              // suits of pips, in classes
  std::array<std::vector<CardId>, kMaxDeckSuits> card_of_;  // by suit, by rank
  std::vector<Others> others_;  // every selection of 0 to 7 cards that are not pips, except those in apart_
  std::vector<CardId> apart_;   // cards that are neither pips nor alike
};

// C(n, k); 0 where k > n. Exact for the hand counts of any deck.
std::uint64_t choose(int n, int k);

}  // namespace dealer
