#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"

namespace dealer::test {

// Rankings once more, written down here card by card from the rules, with no tables, no YAML and no cleverness.
struct SlowRanking {
  std::vector<std::string> order;  // codes, weak to strong
  bool low = false;                // the weakest category that holds counts, lower ranks win
  bool aces_high = false;
  bool by_ranks = false;
  std::vector<int> half_flushes;  // numbers of trumps, weak to strong
  int lowest_bad_rank = 0;        // code H9: some rank of at least that
  bool wheel = true;              // high aces are below the two as well
};

// Order of hands of one to five cards without jokers: larger is stronger, equal ties.
class SlowHands {
 public:
  SlowHands(const Deck& deck, SlowRanking ranking);
  std::uint64_t key(std::span<const CardId> hand) const;
  // Place of the category in the order.
  static int place(std::uint64_t key) { return static_cast<int>(key >> 53); }

 private:
  // rank: 2..14, 1..13 with low aces, in decks with other ranks likewise by their place; 0 for unranked cards.
  struct Card {
    char kind;   // p pip, t trump, e unranked
    char color;  // b, r or -
    int suit;
    int rank;
  };
  // What a hand holds, counted.
  struct Counts {
    int cards = 0, pips = 0, trumps = 0, black = 0, red = 0;
    int of_rank[32] = {}, black_of_rank[32] = {}, red_of_rank[32] = {}, trump[32] = {};
    int of_suit[8] = {}, pips_of_suit[8] = {}, extra_of_suit[8] = {};
  };
  int strength(const Counts& hand) const;
  bool holds(int code, const Counts& hand) const;
  bool straight(const Counts& hand) const;
  int compared(int code, const Counts& hand, int* ranks) const;

  std::vector<Card> cards_;
  SlowRanking ranking_;
  std::vector<int> order_;  // the codes as numbers, for speed
};

}  // namespace dealer::test
