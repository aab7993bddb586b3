#pragma once

#include "agents/seven_hand/behaviour_prior.h"

namespace dealer::seven_hand {

// Weighs states by what a seat has laid, for players who think in hidden cards: how likely it would have laid so many
// cards, and those that were turned up, by the behaviour prior (with a small share of any cards). Where cards lie face
// down it lets the seat have laid what it would by the behaviour prior, of so many cards: of what it held in that turn,
// and no cards that are turned up later. Of a uniformly drawn state, what comes of it with the weight returned stands
// for the states by how likely they are (sequential importance sampling). Which chips the seat has named counts
// nothing.
struct PriorWeight {
  double weight = 1;
  double likely = 1;  // how likely, by the behaviour prior, the seat lays all that it has laid now
};
PriorWeight lay_by_prior(const BehaviourPrior& behaviour_prior, State& state, Seat seat, RandomStream& rng);

}  // namespace dealer::seven_hand
