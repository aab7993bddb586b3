#pragma once

#include "agents/seven_hand/behaviour_prior.h"

namespace dealer::seven_hand {

// What a position is worth when all cards are seen, the stock aside: every chip has a chance of being taken, by the
// hands that lie there or by what the cards in hand make when they are shared out to the turns to come.
class OpenValue {
 public:
  // Both must outlive it.
  OpenValue(const LineValues& line, const BehaviourPrior& behaviour_prior)
      : line_(line), behaviour_prior_(behaviour_prior) {}
  // To the seat, in points. Precondition: no cards wait for their chip, and the hand is not over.
  double operator()(const State& state, Seat me) const;

 private:
  // The average share of all hands that the seat's turns to come beat.
  double reserve(const State& state, Seat seat) const;

  const LineValues& line_;
  const BehaviourPrior& behaviour_prior_;
};

}  // namespace dealer::seven_hand
