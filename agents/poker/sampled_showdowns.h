#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/poker/hand_cdf.h"
#include "env/cards/deck.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// Common random numbers, identical in every position: compared deals differ only by the cards, and the same position
// always gives the same result. Across the deals each number is stratified over its range, so that means are more
// precise than with independent deals. Immutable.
class CommonDeals {
 public:
  static constexpr std::size_t kNumbers = 64;  // the maximum number of cards per deal
  // A set of 32, 64 or 128 deals.
  static const CommonDeals& of(std::size_t deals);

  std::size_t size() const { return numbers_.size() / kNumbers; }
  // Moves `count` cards of the deal to the front of `cards`, at most kNumbers.
  void deal(std::size_t row, std::span<CardId> cards, std::size_t count) const {
    const std::uint16_t* const numbers = &numbers_[row * kNumbers];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t other = i + ((cards.size() - i) * numbers[i] >> 16);
      const CardId card = cards[other];
      cards[other] = cards[i];
      cards[i] = card;
    }
  }

 private:
  explicit CommonDeals(std::size_t deals);

  std::vector<std::uint16_t> numbers_;  // deal by deal
};

// A canonical order of the suits, so that positions equal up to a renaming of suits are sampled alike. Suits that the
// ranking or the deck distinguishes are kept. Immutable.
class SuitOrder {
 public:
  explicit SuitOrder(const GameRules& rules);

  // A signature of each suit in a position, by the roles of its cards.
  using Marks = std::array<std::uint64_t, kMaxDeckSuits + 1>;
  void mark(CardId card, int role, Marks& marks) const { marks[suit_[card]] += key(role, rank_[card]); }

  using Suits = std::array<std::uint8_t, kMaxDeckSuits + 1>;  // new suits
  Suits order(const Marks& marks) const;
  CardId rename(CardId card, const Suits& suits) const { return card_[suits[suit_[card]]][rank_[card]]; }

 private:
  static constexpr std::size_t kRanks = 64, kRoles = 16;
  std::uint64_t key(int role, std::size_t rank) const { return keys_[at(role) * kRanks + rank]; }

  std::vector<std::uint64_t> keys_;
  std::array<std::uint8_t, kMaxDeckCards> suit_{}, rank_{};  // jokers: a suit of their own
  std::array<std::array<CardId, kRanks>, kMaxDeckSuits + 1> card_{};
  std::vector<std::vector<std::uint8_t>> alike_;  // suits that may be renamed into each other
};

// The cards of a position as seen by one seat.
struct KnownHands {
  struct Hand {
    std::array<CardId, 8> cards{};
    std::size_t count = 0;
    void add(CardId card) {
      if (count < cards.size()) cards[count++] = card;
    }
  };
  std::array<Hand, kMaxSeats> hand;     // the observer's first, then those of others who are still in
  std::array<int, kMaxSeats> player{};  // the owner of each hand
  std::size_t hands = 0;
  std::bitset<kMaxDeckCards> dead;  // seen, but in none of these hands
  bool has_shared = false;          // stud: a last card shared by all
  CardId shared = 0;
};

// Showdowns of everybody who is still in, with all hidden cards dealt from CommonDeals, invariant to renaming suits.
// Draw games: no more cards are drawn. Immutable.
class SampledShowdowns {
 public:
  explicit SampledShowdowns(const GameRules& rules);

  struct Result {
    float share = 0;                         // the observer's fraction of the pot
    float high = 0, low = 0;                 // of each half, in games with a low one: 0 for a low that does not qualify
    float qualifies = 0;                     // probability that the observer's low qualifies
    std::array<float, kMaxSeats> against{};  // fraction of a pot contested with one of the others alone, by hand
  };
  // `becomes`: the distribution of the observer's final hand by category of the high ranking.
  Result play(const KnownHands& known, std::span<float> becomes) const;

 private:
  const GameRules* rules_;
  SuitOrder suits_;
  HandCategories high_;
  HandValue qualifying_ = 0;
  std::size_t size_;  // number of cards in a final hand, including a shared card
};

}  // namespace dealer::poker
