#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/games/small/tree.h"

namespace dealer::small {

// Cards of the small deck are 0 .. cards-1: suits * rank + suit, so that a higher rank is a higher index.
inline constexpr int kMaxDealt = 4 * kMaxHand;  // both hands and all cards that both may draw
// Cards of a shuffled deck, as many as may be needed, the rest 0: hand of seat 0, hand of seat 1, board or stock.
using Dealt = std::array<Card, kMaxDealt>;
struct Deal {
  Dealt cards{};
  // Winner of the showdown: 1 seat 0, -1 seat 1, 0 a tie. With draws it is determined only at the showdown.
  std::int8_t winner = 0;
};

// A rule set with everything precomputed from it. Immutable.
class Rules {
 public:
  explicit Rules(const Options& options);

  const Options& options() const { return options_; }
  const Parts& parts() const { return parts_; }
  const Tree& tree() const { return tree_; }
  CardSet deck() const { return (CardSet{1} << options_.cards()) - 1; }
  // Storage for a deal when not all deals are listed.
  const Deal& deal(std::uint64_t seed, Deal& space) const {
    return deals_.empty() ? space = shuffle(seed) : deals_[pick(seed, deals_.size())];
  }
  // Number of hand cards that count.
  int dealt() const { return dealt_; }
  // Winner, as in Deal, for hands of equal size; the board is used in Leduc hold'em only.
  std::int8_t winner(CardSet hand0, CardSet hand1, Card board) const;
  // Cards that the second player has drawn from what the first has discarded, the stock being used up.
  int recycled(const Node& where) const {
    const int stock = options_.cards() - kSeats * options_.hand - where.discarded[0];
    return where.drawn[1] ? std::max(0, where.discarded[1] - stock) : 0;
  }
  // Name of a hand, "pair of kings", "queen high"; the board is used in Leduc hold'em only.
  std::string hand_name(CardSet hand, Card board) const;
  std::string to_string(Card card) const;
  // From high to low, separated by blanks.
  std::string to_string(CardSet cards) const;

 private:
  int rank(Card card) const { return card / options_.suits; }
  // The corresponding card of the full deck.
  Card printed(Card card) const;
  // Strength of a hand: higher is stronger, equal ties.
  int strength(CardSet hand, Card board) const;
  void list_deals(CardSet taken, int count, Deal& deal);
  Deal finish(Deal deal) const;
  Deal shuffle(std::uint64_t seed) const;
  // Uniform in [0, count) without bias. A word of random bits suffices, since a hand takes less time than a Philox
  // block.
  static std::size_t pick(std::uint64_t seed, std::uint64_t count) {
    __extension__ using Wide = unsigned __int128;
    Wide product;
    do product = Wide{seed = mix64(seed)} * count;
    while (static_cast<std::uint64_t>(product) < count && static_cast<std::uint64_t>(product) < (0 - count) % count);
    return static_cast<std::size_t>(product >> 64);
  }

  Options options_;
  Parts parts_;
  Tree tree_;
  int dealt_;
  // All possible deals, when they are few.
  std::vector<Deal> deals_;
};

// Sets of up to three cards are numbered in colexicographic order (by their highest card, then the next ...); a single
// card has its own number.
Action set_number(CardSet cards);
// The set of so many cards with that number.
CardSet numbered_set(Action number, int count);

// The usual name of a street, counted from 0: "before the board"; nothing in a game of one street.
std::string street_name(const Options& options, int street);

}  // namespace dealer::small
