#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arena/studies/estimate.h"
#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/hand.h"

namespace dealer::studies::fantasyland {

// What a row holds so far, beside a rank that might go in front. Rows of fewer than five cards are what they are as
// they lie.
enum Holding : int { kNothing, kLowPair, kHighPair, kTwoPair, kTrips, kStraightOrBetter, kHoldings };
std::string_view name_of(Holding holding);
std::string_view title_of(Holding holding);
// A low pair is below the rank.
Holding holding_of(CardSet row, int rank);

// How cards of the rank come to hand: the first while the front has none; a pair in one turn; one more for the one in
// front.
enum Case : int { kFirstCard, kPairInHand, kSecondCard, kCases };
std::string_view name_of(Case which);
std::string_view title_of(Case which);

using HoldingTable = std::array<std::array<Estimate, kHoldings>, kHoldings>;  // [back][middle]

// How often they are put in front, of the times that they could be and need not: one of them, of a pair both.
struct ChoiceFigures {
  std::array<Estimate, kStreets> turns;
  // From the second turn on.
  std::array<Estimate, kStandings> standings;  // the other not in Fantasyland
  HoldingTable later;
  std::array<HoldingTable, kStreets> holdings;  // by turn
};
// [rank, as Fronts counts them][case]
using ChoiceTable = std::vector<std::array<ChoiceFigures, kCases>>;

class ChoiceTally {
 public:
  explicit ChoiceTally(const Fronts& fronts) : fronts_(fronts), counts_(static_cast<std::size_t>(fronts.ranks())) {}
  void add(std::int64_t deal, const Hand& hand);
  ChoiceTable figures() const;

 private:
  using Means = std::array<std::array<DealMean, kHoldings>, kHoldings>;
  struct Count {
    std::array<DealMean, kStreets> turns;
    std::array<DealMean, kStandings> standings;
    Means later;
    std::array<Means, kStreets> holdings;
  };
  void add_turn(std::int64_t deal, const Turn& turn, int street, bool sees_other);

  Fronts fronts_;
  std::vector<std::array<Count, kCases>> counts_;
};

}  // namespace dealer::studies::fantasyland
