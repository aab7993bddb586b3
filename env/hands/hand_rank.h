#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "env/cards/card.h"

namespace dealer {

// Standard high hands, weak to strong.
enum class HandCategory : std::uint8_t {
  kHighCard,
  kPair,
  kTwoPair,
  kTrips,
  kStraight,
  kFlush,
  kFullHouse,
  kQuads,
  kStraightFlush,
  kRoyalFlush,
};

// Strength of a hand of 0 to 7 cards (best five of six or seven): higher is stronger, equal ties. One order for all
// sizes, so that a three-card front compares with a five-card middle: a category needs only the cards that form it
// (straight and better: exactly five), other cards are kickers, and when all compared cards tie the side with more
// cards wins (A-4 beats A; A-A-5 loses to A-A-5-2). Dense: 0 is the empty hand, then every distinct class in order.
using HandRank = std::uint16_t;

// Any hand of 0 to 7 cards.
HandRank evaluate(CardSet hand);
// Without the count of cards: the sets must have exactly 3, 5, 7.
HandRank evaluate3(CardSet hand);
HandRank evaluate5(CardSet hand);
HandRank evaluate7(CardSet hand);
// Many hands at once, several times faster. hands: n * 5 (n * 7) card indices 0..51, hand after hand, each hand's cards
// distinct, in any order; ranks: n results. Throws UsageError when the sizes do not fit.
void evaluate5(std::span<const Card> hands, std::span<HandRank> ranks);
void evaluate7(std::span<const Card> hands, std::span<HandRank> ranks);

// The class written out: category << 20 | five rank nibbles in order of comparison, each 1..13 for 2..A, 0 for none.
// Strictly increasing in the rank. A five-high straight compares as rank 5 (nibble 4) alone.
std::uint32_t packed(HandRank rank);
HandCategory category(HandRank rank);
// The rank (0..12) compared first: that of the pair, the trips, the higher pair, the straight's top or the high card.
int first_rank(HandRank rank);
std::string_view to_string(HandCategory category);
// "pair of kings", "flush, ace high", "full house, jacks over sevens"
std::string describe(HandRank rank);

// The same order computed without tables, card by card: the reference in benchmarks and tests.
std::uint32_t packed_reference(CardSet hand);

}  // namespace dealer
