#pragma once

#include <array>

#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

using ChipProbabilities = std::array<double, kChips>;

// The strength of a turn without cards in hand, made of future draws: the fraction of all hands it beats.
inline constexpr double kUnseenTurn = 0.3;

// The probability that the first of two hands wins, given the fractions of all hands that each beats.
double chance_between(double own, double other);

// An estimate of a position from its observer's view: every chip has a probability of being taken. The strength of a
// hand on the table is the fraction of hands it beats, among hands of as many cards as lie opposite; that of a future
// turn is what the cards in hand make when they are divided among the remaining turns.
class ChipOdds {
 public:
  // Both arguments must outlive it.
  ChipOdds(const LineValues& line, const View& view);

  // The mean fraction of all hands that the remaining turns beat, given the cards in hand.
  double reserve(CardSet hand, int turns) const;
  // The observer's remaining turns, including the current one.
  int turns_left() const { return turns_left_; }
  // The observer's probability of taking each chip if its remaining turns beat the fraction `own` of all hands.
  ChipProbabilities probabilities(double own) const;
  // The probability of taking a chip where the opponent has, or is given, `cards` face-down cards.
  double against(int chip, int cards, double own) const;
  double value(const ChipProbabilities& probabilities) const { return line_.value(probabilities, tied_); }
  // The value of naming a chip for the opponent's pending cards.
  double value_of_naming(int chip, double own) const;
  // The value of laying these cards if later turns beat the fraction `own`. The opponent is expected to name the chip
  // where a hand of that many cards does it least harm; part of the weight goes to all other chips.
  double value_of_laying(CardSet cards, double own) const;

 private:
  const LineValues& line_;
  const View& view_;
  std::array<bool, kChips> tied_{};
  int turns_left_;
};

// Sampled on first use, shared by all.
const LaidHandCdfs& laid_hand_cdfs();

}  // namespace dealer::seven_hand
