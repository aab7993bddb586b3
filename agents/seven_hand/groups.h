#pragma once

#include <array>

#include "agents/empirical_cdf.h"
#include "env/games/seven_hand/state.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {

// The cards that make the strongest hand among these, without kickers: five of a straight, flush or full house, four of
// a kind, trips, two pair, a pair, the highest card. With `small` neither full houses nor two pair: the pairs stay for
// turns of their own. Precondition: not empty.
CardSet best_group(CardSet cards, bool small);

// Cards shared out to so many turns at most, the best group first; cards beyond them are left.
struct Groups {
  std::array<CardSet, kTurns> cards{};
  int count = 0;
  CardSet rest = 0;
};
Groups share_out(CardSet cards, int turns, bool small);

// How strong a hand is among those that a player lays in a whole game: sampled once, from 26 random cards shared out to
// seven turns, some groups with any cards of the rest laid beside them so that they look like more.
class Strengths {
 public:
  Strengths();
  // The share of hands of so many cards (1..5) that it beats, ties counting half; of all hands for 0.
  double beats(HandRank hand, int cards) const { return hands_[static_cast<std::size_t>(cards)].below(hand); }
  // The average share of all hands that hands of so many cards beat.
  double average(int cards) const { return average_[static_cast<std::size_t>(cards)]; }

 private:
  std::array<EmpiricalCdf<HandRank>, kMostLaid + 1> hands_;  // by cards; [0]: all
  std::array<double, kMostLaid + 1> average_{};
};

}  // namespace dealer::seven_hand
