#pragma once

#include <array>
#include <span>
#include <vector>

#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/core/random.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// A quick model of a sensible player, with known probabilities: used for playouts and to weight sampled states. It lays
// one of the groups of its hand, mostly the best, bare or with low cards beside it as a disguise, and in its last turn
// with kickers. It names the chip where the cards seem to do least harm.
class BehaviourPrior {
 public:
  explicit BehaviourPrior(const GameRules& rules);

  // A possible laying and its probability.
  struct Laying {
    CardSet cards = 0;
    double probability = 0;
  };
  // All possible layings, possibly with the same cards twice; the probabilities sum to 1.
  class Layings {
   public:
    void add(CardSet cards, double probability) { laying_[count_++] = {cards, probability}; }
    std::span<const Laying> all() const { return std::span(laying_).first(count_); }

   private:
    static constexpr std::size_t kMost = 2 * kTurns * kMostLaid;
    std::array<Laying, kMost> laying_;
    std::size_t count_ = 0;
  };
  // The layings with `turns` turns left, including the current one. Precondition of both: the hand is not empty.
  Layings layings(CardSet hand, int turns) const;
  // Samples one of them.
  CardSet lay(CardSet hand, int turns, RandomStream& rng) const;

  // The action that names a chip: the one that maximises the line's value with all open chips undecided, plus a little
  // noise. Precondition: the seat to act names one.
  Action name(const State& state, RandomStream& rng) const;

  // The fraction of all laid hands, or of those of `cards` cards, that a hand beats: LaidHandCdfs as a table.
  double beats(CardSet hand, int cards = 0) const {
    return static_cast<double>(beats_[static_cast<std::size_t>(cards)][evaluate(hand)]);
  }

 private:
  // The value of the line to the namer, by owner of each chip in base 4: 0 open, 1 the namer, 2 the other, 3 tied.
  std::vector<float> line_;
  std::array<std::vector<float>, kMostLaid + 1> beats_;  // by cards and rank
};

}  // namespace dealer::seven_hand
