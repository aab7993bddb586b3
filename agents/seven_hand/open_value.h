#pragma once

#include "agents/seven_hand/behaviour_prior.h"

namespace dealer::seven_hand {

// The value of a position when all cards but the stock are known: every chip has a probability of being taken, by the
// hands on the table or by what the cards in hand make when they are divided among the remaining turns.
class OpenValue {
 public:
  // Both arguments must outlive it.
  OpenValue(const LineValues& line, const BehaviourPrior& behaviour_prior)
      : line_(line), behaviour_prior_(behaviour_prior) {}
  // The value to the seat, in points. Precondition: no cards wait for their chip, and the hand is not over.
  double operator()(const State& state, Seat me) const;

 private:
  // The mean fraction of all hands that the seat's remaining turns beat.
  double reserve(const State& state, Seat seat) const;

  const LineValues& line_;
  const BehaviourPrior& behaviour_prior_;
};

}  // namespace dealer::seven_hand
