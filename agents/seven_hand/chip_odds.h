#pragma once

#include <array>

#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

using Chances = std::array<double, kChips>;

// A turn for which no cards are in hand is made of the draws to come: the share of all hands it beats.
inline constexpr double kUnseenTurn = 0.3;

// That the first of two hands wins which beat these shares of all hands.
double chance_between(double own, double other);

// A position as its observer may judge it: every chip has a chance of being taken. Of a hand that lies there it is the
// share of hands it beats, of as many cards as lie opposite; of a turn to come what the cards in hand make when they
// are shared out to the turns that are left.
class ChipOdds {
 public:
  // Both must outlive it.
  ChipOdds(const LineValues& line, const View& view);

  // The average share of all hands that the turns to come beat, with these cards in hand.
  double reserve(CardSet hand, int turns) const;
  // Turns of the observer that are still to come, the one in progress included.
  int turns_left() const { return turns_left_; }
  // Chances of the observer, its turns to come beating the share `own` of all hands.
  Chances chances(double own) const;
  // That it takes a chip where the opponent has, or is given, so many cards that nobody has seen.
  double against(int chip, int cards, double own) const;
  double value(const Chances& chances) const { return line_.value(chances, tied_); }
  // Of a chip that is named for the opponent's pending cards.
  double value_of_naming(int chip, double own) const;
  // Of laying these cards, the turns after it being worth `own`. The opponent is expected to name the chip where a hand
  // of so many cards does least harm to it; a part of the weight goes to all other chips.
  double value_of_laying(CardSet cards, double own) const;

 private:
  const LineValues& line_;
  const View& view_;
  std::array<bool, kChips> tied_{};
  int turns_left_;
};

// Sampled at the first use, shared by all.
const Strengths& strengths();

}  // namespace dealer::seven_hand
