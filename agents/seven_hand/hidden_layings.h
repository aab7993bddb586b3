#pragma once

#include "agents/seven_hand/behaviour_prior.h"

namespace dealer::seven_hand {

// Importance weights of states by a seat's layings, for players who reason about hidden cards: the probability under
// the behaviour prior (with a small share of uniform play) that the seat would have laid that many cards, and those
// that were turned up. For face-down layings it resamples the cards that the seat would have laid under the prior, of
// the right number: from what it held in that turn, excluding cards turned up later. A uniformly drawn state modified
// this way, with the weight returned, represents the posterior (sequential importance sampling). The chips that the
// seat has named are ignored.
struct PriorWeight {
  double weight = 1;
  double likely = 1;  // probability under the prior that the seat lays all that it has laid now
};
PriorWeight lay_by_prior(const BehaviourPrior& behaviour_prior, State& state, Seat seat, RandomStream& rng);

}  // namespace dealer::seven_hand
