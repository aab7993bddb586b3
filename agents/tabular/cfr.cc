#include "agents/tabular/cfr.h"

#include <algorithm>

#include "agents/tabular/values.h"

namespace dealer::tabular {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Probabilities in proportion to the weights, none of which is negative; uniform when all are 0.
void normalise(const double* weights, std::int32_t count, double* probability) {
  double sum = 0;
  for (std::int32_t a = 0; a < count; ++a) sum += weights[a];
  const double factor = sum > 0 ? 1 / sum : 0, rest = sum > 0 ? 0 : 1.0 / count;
  for (std::int32_t a = 0; a < count; ++a) probability[a] = weights[a] * factor + rest;
}

}  // namespace

CfrPlus::CfrPlus(const GameTree& tree)
    : tree_(tree),
      regret_(at(tree.sequences())),
      sum_(at(tree.sequences())),
      probability_(uniform_policy(tree).probability),
      reach_(at(tree.sequences())),
      values_(at(tree.sequences())) {
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, probability_, reach_);
}

void CfrPlus::run(int iterations) {
  for (; iterations > 0; --iterations) {
    ++iterations_;
    for (Seat seat = 0; seat < tree_.players(); ++seat) update(seat);
  }
}

// The last sets first: what an information set is worth counts for the move that leads there.
void CfrPlus::update(Seat seat) {
  end_values(tree_, seat, reach_, values_);
  const auto weight = static_cast<double>(iterations_);
  for (std::int32_t s = tree_.first_set(seat + 1); s-- > tree_.first_set(seat);) {
    const GameTree::InformationSet& set = tree_.sets()[at(s)];
    double* const regret = &regret_[at(set.first)];
    double* const probability = &probability_[at(set.first)];
    const double* const values = &values_[at(set.first)];
    double value = 0;
    for (std::int32_t a = 0; a < set.actions; ++a) {
      value += probability[a] * values[a];
      sum_[at(set.first + a)] += weight * reach_[at(set.first + a)];
    }
    for (std::int32_t a = 0; a < set.actions; ++a) regret[a] = std::max(0.0, regret[a] + values[a] - value);
    normalise(regret, set.actions, probability);
    values_[at(set.parent)] += value;
  }
  add_up_reach(tree_, seat, probability_, reach_);
}

Policy CfrPlus::average() const {
  Policy policy = uniform_policy(tree_);
  for (const GameTree::InformationSet& set : tree_.sets())
    normalise(&sum_[at(set.first)], set.actions, &policy.probability[at(set.first)]);
  return policy;
}

}  // namespace dealer::tabular
