#include "agents/tabular/cfr.h"

#include <cmath>

#include "agents/tabular/sequence_table.h"
#include "agents/tabular/values.h"
#include "env/core/at.h"

namespace dealer::tabular {
namespace {

double discount(double exponent, double iteration) {
  if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
  const double power = std::pow(iteration, exponent);
  return std::isinf(power) ? 1 : power / (power + 1);
}

}  // namespace

Cfr::Cfr(const GameTree& tree, const CfrOptions& options, int threads)
    : tree_(tree),
      options_(options),
      parts_(tree, threads),
      regret_(at(tree.sequences())),
      sum_(at(tree.sequences())),
      probability_(uniform_policy(tree).probability),
      reach_(at(tree.sequences())),
      values_(at(tree.sequences())) {
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, probability_, reach_);
}

void Cfr::run(std::int64_t iterations) {
  for (; iterations > 0; --iterations) {
    const auto t = static_cast<double>(++iterations_);
    const Weights weights = {discount(options_.alpha, t), discount(options_.beta, t), std::pow(t, options_.gamma)};
    for (Seat seat = 0; seat < tree_.players(); ++seat)
      parts_.run(seat, [&](std::int32_t first, std::int32_t last) { update(seat, weights, first, last); });
  }
}

// The last sets first: what an information set is worth counts for the move that leads there.
void Cfr::update(Seat seat, const Weights& weights, std::int32_t first_set, std::int32_t last_set) {
  const GameTree::InformationSet* const sets = tree_.sets().data();
  const std::int32_t empty = tree_.first_sequence(seat);
  end_values(tree_, seat, sets[first_set].first, sets[last_set - 1].first + sets[last_set - 1].actions, reach_,
             values_);
  for (std::int32_t s = last_set; s-- > first_set;) {
    const GameTree::InformationSet& set = sets[s];
    double* const regret = &regret_[at(set.first)];
    double* const probability = &probability_[at(set.first)];
    double* const sum = &sum_[at(set.first)];
    const double* const values = &values_[at(set.first)];
    const double* const reach = &reach_[at(set.first)];
    double value = 0;
    for (std::int32_t a = 0; a < set.actions; ++a) {
      value += probability[a] * values[a];
      sum[a] += weights.average * reach[a];
    }
    for (std::int32_t a = 0; a < set.actions; ++a) {
      const double now = regret[a] + values[a] - value;
      regret[a] = now * (now > 0 ? weights.above : weights.below);
    }
    normalise(regret, set.actions, probability);
    // What the whole game is worth is needed by nobody, and other parts would add to it, too.
    if (set.parent != empty) values_[at(set.parent)] += value;
  }
  add_up_reach(tree_, first_set, last_set, probability_, reach_);
}

Policy Cfr::average() const { return normalised(tree_, sum_); }

void Cfr::save(TensorFile& file) const {
  write_iterations(file, iterations_);
  file.tensors["state.regret"] = to_tensor(regret_);
  file.tensors["state.sum"] = to_tensor(sum_);
}

void Cfr::load(const TensorFile& file) {
  const std::int64_t iterations = read_iterations(file);
  std::vector<double> regret = read_numbers(file, "state.regret", tree_.sequences(), -CfrOptions::kNever);
  std::vector<double> sum = read_numbers(file, "state.sum", tree_.sequences(), 0);
  iterations_ = iterations;
  regret_ = std::move(regret);
  sum_ = std::move(sum);
  probability_ = normalised(tree_, regret_).probability;
  for (Seat seat = 0; seat < tree_.players(); ++seat) add_up_reach(tree_, seat, probability_, reach_);
}

}  // namespace dealer::tabular
