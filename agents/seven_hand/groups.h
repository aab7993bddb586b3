#pragma once

#include <array>

#include "agents/empirical_cdf.h"
#include "env/games/seven_hand/state.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {

// The cards that make the strongest hand among `cards`, without kickers: five of a straight, flush or full house, four
// of a kind, trips, two pair, a pair, the highest card. If `small`, neither full houses nor two pair: the pairs are
// kept for separate turns. Precondition: not empty.
CardSet best_group(CardSet cards, bool small);

// Cards divided among at most a given number of turns, the best group first; surplus cards are left over.
struct Groups {
  std::array<CardSet, kTurns> cards{};
  int count = 0;
  CardSet rest = 0;
};
Groups share_out(CardSet cards, int turns, bool small);

// The strength of a hand among those that a player lays in a whole game: sampled once, from 26 random cards divided
// among seven turns, some groups with arbitrary other cards laid beside them as a disguise.
class LaidHandCdfs {
 public:
  LaidHandCdfs();
  // The fraction of hands of `cards` cards (1..5) that it beats, ties counting half; of all hands for 0.
  double beats(HandRank hand, int cards) const { return hands_[static_cast<std::size_t>(cards)].below(hand); }
  // The mean fraction of all hands that hands of `cards` cards beat.
  double average(int cards) const { return average_[static_cast<std::size_t>(cards)]; }

 private:
  std::array<EmpiricalCdf<HandRank>, kMostLaid + 1> hands_;  // by cards; [0]: all
  std::array<double, kMostLaid + 1> average_{};
};

}  // namespace dealer::seven_hand
