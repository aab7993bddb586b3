#include "agents/tabular/mccfr.h"

#include "agents/tabular/policy.h"
#include "env/core/at.h"

namespace dealer::tabular {

// One traversal of the tree for one seat.
class Mccfr::Walk {
 public:
  Walk(const GameTree& tree, RegretTable<double>& table, Seat seat, double weight, RandomStream& rng)
      : tree_(tree), nodes_(tree.nodes().data()), table_(table), seat_(seat), weight_(weight), rng_(rng) {}

  // The payoff of the seat.
  double visit(std::int32_t index) {
    const GameTree::Node& node = nodes_[index];
    if (node.turn == kTerminal) return tree_.returns()[at(node.first * tree_.players() + seat_)];
    if (node.turn == kChance) return visit(node.first + draw_outcome(node));
    const GameTree::InformationSet& set = tree_.sets()[at(node.set)];
    return sample_decision(&table_.regret[at(set.first)], &table_.sum[at(set.first)], set.actions, node.turn == seat_,
                           weight_, rng_, normalise, [&](int action) { return visit(node.first + action); });
  }

 private:
  // Outcomes are usually equally likely: then the first guess is correct.
  std::int32_t draw_outcome(const GameTree::Node& node) {
    double rest = rng_() * 0x1p-32;
    const GameTree::Node* const child = nodes_ + node.first;
    const auto guess = static_cast<std::int32_t>(rest * node.children);
    if (node.children > 1 && equally_likely(node)) return guess;
    for (std::int32_t c = 0; c + 1 < node.children; ++c)
      if ((rest -= child[c].probability) < 0) return c;
    return node.children - 1;
  }
  bool equally_likely(const GameTree::Node& node) const {
    const GameTree::Node* const child = nodes_ + node.first;
    for (std::int32_t c = 1; c < node.children; ++c)
      if (child[c].probability != child[0].probability) return false;
    return true;
  }

  const GameTree& tree_;
  const GameTree::Node* nodes_;
  RegretTable<double>& table_;
  Seat seat_;
  double weight_;
  RandomStream& rng_;
};

Mccfr::Mccfr(const GameTree& tree, const MccfrOptions& options, const SolverOptions& common)
    : tree_(tree), tables_(tree.sequences(), options.tables, options.gamma, common.seed, common.threads) {}

void Mccfr::run(std::int64_t iterations) {
  tables_.run(iterations, [&](RegretTable<double>& table, double weight, RandomStream& rng) {
    for (Seat seat = 0; seat < tree_.players(); ++seat) Walk(tree_, table, seat, weight, rng).visit(0);
  });
}

}  // namespace dealer::tabular
