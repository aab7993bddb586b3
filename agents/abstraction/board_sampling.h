#pragma once

#include <cstdint>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/holdem_cards.h"
#include "env/core/random.h"

namespace dealer::abstraction {

// Samples boards of hold'em, and what the other player is seen to do, but no hands: many hands of both players are
// looked at together, as in public chance sampling (Johanson et al., "Efficient Nash equilibrium approximation through
// Monte Carlo counterfactual regret minimization", 2012). An action of the other is drawn as often as its hands take
// it on average, and how likely each of them is to be there counts on.
class BoardSampling {
 public:
  using Number = float;  // so that twice as much is near the processor
  using Table = RegretTable<Number>;
  static constexpr std::int64_t kUsualIterations = 200'000;

  // Both must outlive it.
  BoardSampling(const PublicTree& tree, const HoldemCards& cards) : tree_(tree), cards_(cards) {}

  // One board.
  void sample(Table& table, double weight, RandomStream& rng) const;

 private:
  const PublicTree& tree_;
  const HoldemCards& cards_;
};

// What each hand wins at a showdown for one chip, summed over all hands of the other player that share no card with it,
// each as likely as `reach` says.
void settle(const HoldemCards::Deal& deal, const HoldemCards::PerHand& reach, HoldemCards::PerHand& won);
// How likely all hands are together that share no card with each.
void others(const HoldemCards::Deal& deal, const HoldemCards::PerHand& reach, HoldemCards::PerHand& sum);

}  // namespace dealer::abstraction
