#pragma once

#include <array>
#include <cstdint>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/public_tree.h"
#include "env/core/random.h"

namespace dealer::abstraction {

// External sampling (Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", 2009): one
// deal, and one action of the other player wherever it decides. Cards tells of the hands, which are forgotten when
// cards are drawn:
//   Deal                             both hands and what will be drawn; flat
//   deal(deal, rng)
//   draw(deal, position, option)
//   cards_of(option)                 how many cards a discard throws
//   bucket(deal, position)           as it is now, below the number of buckets of the stage
//   winner(deal)                     1: position 0, -1: position 1, 0: nobody
template <class Cards>
class ExternalSampling {
 public:
  using Number = double;
  using Table = RegretTable<Number>;
  static constexpr std::int64_t kUsualIterations = 10'000'000;

  // Both must outlive it.
  ExternalSampling(const PublicTree& tree, const Cards& cards) : tree_(tree), cards_(cards) {}

  void sample(Table& table, double weight, RandomStream& rng) const {
    typename Cards::Deal deal;
    cards_.deal(deal, rng);
    for (int position = 0; position < 2; ++position)
      Walk{tree_, cards_, table, position, weight, rng}.visit(tree_.nodes[0], deal);
  }

 private:
  struct Walk {
    const PublicTree& tree;
    const Cards& cards;
    Table& table;
    int position;
    double weight;
    RandomStream& rng;

    double visit(const PublicNode& node, const typename Cards::Deal& deal) {
      const double sign = position == 0 ? 1 : -1;
      if (node.kind == PublicNode::Kind::kFold) return sign * node.amount;
      if (node.kind == PublicNode::Kind::kShowdown) return sign * node.amount * cards.winner(deal);
      const int options = node.options;
      const auto first =
          static_cast<std::size_t>(node.base + std::int64_t{cards.bucket(deal, node.position)} * options);
      std::array<double, kMostOptions> probability;
      double* const regret = &table.regret[first];
      normalise(regret, options, probability.data());
      if (node.position != position) {
        double* const sum = &table.sum[first];
        for (int i = 0; i < options; ++i) sum[i] += weight * probability[static_cast<std::size_t>(i)];
        double rest = static_cast<double>(rng()) * 0x1p-32;
        int option = 0;
        while (option + 1 < options && (rest -= probability[static_cast<std::size_t>(option)]) >= 0) ++option;
        return go_on(node, deal, option);
      }
      std::array<double, kMostOptions> values;
      double value = 0;
      for (int i = 0; i < options; ++i) {
        values[static_cast<std::size_t>(i)] = go_on(node, deal, i);
        value += probability[static_cast<std::size_t>(i)] * values[static_cast<std::size_t>(i)];
      }
      for (int i = 0; i < options; ++i) regret[i] += weight * (values[static_cast<std::size_t>(i)] - value);
      return value;
    }

    double go_on(const PublicNode& node, const typename Cards::Deal& deal, int option) {
      if (node.kind == PublicNode::Kind::kBet) return visit(tree.child(node, option), deal);
      typename Cards::Deal next = deal;
      cards.draw(next, node.position, option);
      return visit(tree.child(node, cards.cards_of(option)), next);
    }
  };

  const PublicTree& tree_;
  const Cards& cards_;
};

}  // namespace dealer::abstraction
