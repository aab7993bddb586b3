#pragma once

#include <array>
#include <span>
#include <vector>

#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/core/random.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// How a sensible player acts, quickly and with known probabilities: what playouts do and how sampled states are
// weighted. It lays one of the groups of its hand, mostly the best, bare or with low cards beside it so that it looks
// like more, in its last turn with kickers. It names the chip where the cards seem to do least harm.
class BehaviourPrior {
 public:
  explicit BehaviourPrior(const GameRules& rules);

  // With which probability it lays what.
  struct Laying {
    CardSet cards = 0;
    double probability = 0;
  };
  // All that it may lay, the same cards perhaps twice; together 1.
  class Layings {
   public:
    void add(CardSet cards, double probability) { laying_[count_++] = {cards, probability}; }
    std::span<const Laying> all() const { return std::span(laying_).first(count_); }

   private:
    static constexpr std::size_t kMost = 2 * kTurns * kMostLaid;
    std::array<Laying, kMost> laying_;
    std::size_t count_ = 0;
  };
  // With so many turns left, the one in progress included. Precondition of both: the hand is not empty.
  Layings layings(CardSet hand, int turns) const;
  // One of them.
  CardSet lay(CardSet hand, int turns, RandomStream& rng) const;

  // The action that names a chip: the one that leaves the line worth most, all open chips being anybody's, and a little
  // luck. Precondition: the seat to act names one.
  Action name(const State& state, RandomStream& rng) const;

  // The share of all hands that are laid, or of those of so many cards, that a hand beats: Strengths in a table.
  double beats(CardSet hand, int cards = 0) const {
    return static_cast<double>(beats_[static_cast<std::size_t>(cards)][evaluate(hand)]);
  }

 private:
  // What the line is worth to who names, by owner of each chip in base 4: 0 open, 1 the namer, 2 the other, 3 tied.
  std::vector<float> line_;
  std::array<std::vector<float>, kMostLaid + 1> beats_;  // by cards and rank
};

}  // namespace dealer::seven_hand
