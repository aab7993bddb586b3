#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "env/hands/ranking_rules.h"

namespace dealer {

// All hands of a deck, those that a ranking cannot tell apart met once: a hand of each class, and how many it stands
// for. Suits that no category names, alike in colour where colours matter, can be exchanged (24 hands of four suits
// become one); cards of an unranked suit and jokers are all alike; of trumps only the runs among them matter, or
// nothing. Counting C(78,7) hands so takes seconds.
class HandClasses {
 public:
  // What the hands of a class have in common: their category, or also their value and what drawing makes of them.
  // `rules` must outlive this.
  enum class Same : std::uint8_t { kCategory, kPlay };
  HandClasses(const RankingRules& rules, Same same);

  // Hands one after the other and the weight of each. Weights add up to total(). Of `replace_random` decks a hand
  // weighs as much as it is in play: with k cards of a rank from the four ordinary suits, (4 - k) / 4 for every rank.
  using Visit = std::function<void(std::span<const CardId> hands, std::span<const std::uint64_t> weights)>;
  // `cards`: 1 to 7. Calls `visit` with some thousand hands at a time.
  void for_each(int cards, const Visit& visit) const;

  // Weights are whole numbers: multiples of 1 / scale. 1, but 4^cards with `replace_random`.
  std::uint64_t scale(int cards) const;
  // Hands of so many cards, times scale.
  std::uint64_t total(int cards) const;

 private:
  friend class HandClassesWalk;

  // Some cards beside the pips and how many ways there are to have the like.
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
  std::vector<Others> others_;  // every way to have 0 to 7 cards that are no pips, but for those apart
  std::vector<CardId> apart_;   // cards that are neither pips nor alike
};

// C(n, k); 0 where k > n. Exact for all numbers of hands of a deck.
std::uint64_t choose(int n, int k);

}  // namespace dealer
