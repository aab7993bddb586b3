#pragma once

#include "agents/seven_hand/habits.h"

namespace dealer::seven_hand {

// Weighs states by what a seat has laid, for players who think in hidden cards: how likely it would have laid so many
// cards, and those that were turned up, by habit (with a small share of any cards). Where cards lie face down it
// lets the seat have laid what it would by habit, of so many cards: of what it held in that turn, and no cards that are
// turned up later. Of a uniformly drawn state, what comes of it with the weight returned stands for the states by how
// likely they are (sequential importance sampling). Which chips the seat has named counts nothing.
struct HabitWeight {
  double weight = 1;
  double likely = 1;  // how likely, by habit, the seat lays all that it has laid now
};
HabitWeight lay_by_habit(const Habits& habits, State& state, Seat seat, RandomStream& rng);

}  // namespace dealer::seven_hand
