#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "env/core/random.h"
#include "env/games/small/state.h"

namespace dealer::abstraction {

// Hands of small draw poker. A discard is any set of cards. Buckets are equal parts of all private courses (cards as
// dealt, what was thrown, what came), from the weakest hand to the strongest; each has its own where there are no more.
class MiniCards {
 public:
  using Card = dealer::Card;
  using CardSet = dealer::CardSet;
  MiniCards(const small::Rules& rules, int buckets);

  struct Deal {
    small::Dealt deck{};
    std::array<CardSet, 2> dealt{}, discarded{}, hand{};
    std::array<int, 2> bucket{};
    int next = 0;  // of the deck
  };
  void deal(Deal& deal, RandomStream& rng) const;
  void draw(Deal& deal, int position, int option) const;
  int cards_of(int option) const { return std::popcount(static_cast<unsigned>(option)); }
  int bucket(const Deal& deal, int position) const { return deal.bucket[static_cast<std::size_t>(position)]; }
  int winner(const Deal& deal) const { return rules_.winner(deal.hand[0], deal.hand[1], 0); }
  int buckets(int stage) const { return buckets_[static_cast<std::size_t>(stage)]; }

  // Of a seat that holds these cards, before it has drawn and afterwards.
  int first_bucket(CardSet dealt) const { return bucket_.at(key(dealt, 0, dealt, false)); }
  int second_bucket(CardSet dealt, CardSet discarded, CardSet hand) const {
    return bucket_.at(key(dealt, discarded, hand, true));
  }
  // The cards of a hand that an option throws: bit i the i-th lowest.
  static CardSet thrown(CardSet hand, int option);
  PublicTree public_tree() const;

 private:
  static std::uint64_t key(CardSet dealt, CardSet discarded, CardSet hand, bool drawn);

  const small::Rules& rules_;
  std::array<int, 2> buckets_{};
  std::unordered_map<std::uint64_t, int> bucket_;
};

}  // namespace dealer::abstraction
