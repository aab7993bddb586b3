#pragma once

#include <array>
#include <bitset>
#include <span>

#include "agents/poker/hand_categories.h"
#include "agents/poker/suit_order.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// The cards of a position as one seat sees them.
struct KnownHands {
  struct Hand {
    std::array<CardId, 8> cards{};
    std::size_t count = 0;
    void add(CardId card) {
      if (count < cards.size()) cards[count++] = card;
    }
  };
  std::array<Hand, kMaxSeats> hand;     // the observer's first, then those of others who are still in
  std::array<int, kMaxSeats> player{};  // whose they are
  std::size_t hands = 0;
  std::bitset<kMaxDeckCards> dead;  // seen, in none of these hands
  bool has_shared = false;          // stud: a last card for all
  CardId shared = 0;
};

// Showdowns of everybody who is still in with everything hidden dealt at random: by CommonDeals, and without regard to
// what suits are called. Draw games: no more cards are drawn. Immutable.
class SampledShowdowns {
 public:
  explicit SampledShowdowns(const GameRules& rules);

  struct Result {
    float share = 0;                         // of the pot that the observer wins
    float high = 0, low = 0;                 // of each half, with a low one: 0 for a low that does not qualify
    float qualifies = 0;                     // how often the observer's low does
    std::array<float, kMaxSeats> against{};  // of a pot with one of the others alone, by hand
  };
  // `becomes`: how often the observer's hand ends as what, by category of the high ranking.
  Result play(const KnownHands& known, std::span<float> becomes) const;

 private:
  const GameRules* rules_;
  SuitOrder suits_;
  HandCategories high_;
  HandValue qualifying_ = 0;
  std::size_t size_;  // of a hand at the end, a shared card included
};

}  // namespace dealer::poker
