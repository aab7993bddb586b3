#pragma once

#include <array>
#include <vector>

#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/core/random.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// How a sensible player acts, by habit: quickly, and with known probabilities. It lays one of the groups of its hand,
// mostly the best, bare or with low cards beside it so that it looks like more, and in its last turn with kickers. It
// names the chip where the cards do least harm, as far as open chips and its own cards there tell.
class Habits {
 public:
  explicit Habits(const GameRules& rules);

  // Cards to lay with so many turns left, this one included. Precondition: not empty.
  CardSet lay(CardSet hand, int turns, RandomStream& rng) const;
  // The action that names a chip. Precondition: the seat to act names one.
  Action name(const State& state, RandomStream& rng) const;

  // What the hand is worth to the seat as it stands, in points, all cards being known, from -most to most.
  double estimate(const State& state, Seat me) const;
  // Lets the other seat have laid what it would by habit, where nobody has seen it, and returns how likely it would
  // have laid so many cards, and those that were seen.
  double lay_by_habit(State& state, Seat other, RandomStream& rng) const;

  // With which probability it lays what.
  struct Laying {
    CardSet cards;
    double probability;
  };
  // All that has some, the same cards perhaps twice; together 1.
  void layings(CardSet hand, int turns, std::vector<Laying>& out) const;

 private:
  LineValues values_;
  // By owner of each chip in base 4: 0 open, 1 the namer, 2 the other, 3 tied.
  std::vector<float> line_;
  // The share of hands of so many cards that a hand beats, by count and rank.
  std::array<std::vector<float>, kMostLaid + 1> beats_;
};

}  // namespace dealer::seven_hand
