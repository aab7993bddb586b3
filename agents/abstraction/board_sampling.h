#pragma once

#include <cstdint>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/holdem_cards.h"
#include "env/core/random.h"

namespace dealer::abstraction {

// Samples boards of hold'em and the observed actions of the other player, but no hands: many hands of both players are
// evaluated together, as in public chance sampling (Johanson et al., "Efficient Nash equilibrium approximation through
// Monte Carlo counterfactual regret minimization", 2012). An action of the other player is sampled with its mean
// probability over that player's hands, and the reach of each hand is updated accordingly.
class BoardSampling {
 public:
  using Number = float;  // so that twice as much fits into the cache
  using Table = RegretTable<Number>;
  static constexpr std::int64_t kUsualIterations = 200'000;

  // Both arguments must outlive it.
  BoardSampling(const PublicTree& tree, const HoldemCards& cards) : tree_(tree), cards_(cards) {}

  // Samples one board and updates the table.
  void sample(Table& table, double weight, RandomStream& rng) const;

 private:
  const PublicTree& tree_;
  const HoldemCards& cards_;
};

// The winnings of each hand at a showdown for one chip, summed over all hands of the other player that share no card
// with it, weighted by `reach`.
void settle(const HoldemCards::Deal& deal, const HoldemCards::PerHand& reach, HoldemCards::PerHand& won);
// For each hand, the total reach of all hands that share no card with it.
void others(const HoldemCards::Deal& deal, const HoldemCards::PerHand& reach, HoldemCards::PerHand& sum);

}  // namespace dealer::abstraction
