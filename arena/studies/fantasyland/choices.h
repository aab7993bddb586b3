#pragma once

#include <cstdint>
#include <span>

#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/figure.h"

namespace dealer::studies::fantasyland {

// The present holding of a row, compared with a rank that might go in front. Rows of fewer than five
// cards are classified as they are.
enum Holding : int { kNothing, kLowPair, kHighPair, kTwoPair, kTrips, kStraightOrBetter, kHoldings };
// A low pair is below the rank.
Holding holding_of(CardSet row, int rank);

// The ways in which cards of the rank arrive: the first while the front has none; a pair in one
// turn; another for the one in front.
enum Case : int { kFirstCard, kPairInHand, kSecondCard, kCases };
std::span<const Named> cases();

// The frequency with which cards are put in front, of the times they could be but need not: one, or both of a pair.
class ChoiceCounter {
 public:
  explicit ChoiceCounter(const Fronts& fronts);
  void add(std::int64_t deal, const Hand& hand);
  // "choices" of docs/study-fields-fantasyland.md, by rank and case; ".later" has all cells, [back][middle].
  Figure figures() const;

 private:
  void add_turn(std::int64_t deal, const Turn& turn, int street, bool sees_other);

  Fronts fronts_;
  Figure figures_;
};

}  // namespace dealer::studies::fantasyland
