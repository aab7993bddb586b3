#include "agents/tabular/mmd.h"

#include <algorithm>
#include <cmath>

#include "agents/tabular/sequence_table.h"
#include "agents/tabular/values.h"
#include "env/core/at.h"

namespace dealer::tabular {
namespace {

// Sets less likely than that have no values: the quotient of two such numbers says nothing.
constexpr double kUnlikely = 1e-200;

}  // namespace

Mmd::Mmd(const GameTree& tree, const MmdOptions& options, int threads)
    : tree_(tree),
      options_(options),
      parts_(tree, threads),
      log_policy_(at(tree.sequences())),
      log_magnet_(at(tree.sequences())),
      sum_(at(tree.sequences())),
      probability_(uniform_policy(tree).probability),
      reach_(at(tree.sequences())),
      values_(at(tree.sequences())) {
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    histories_.emplace_back(tree, seat);
    add_up_reach(tree, seat, probability_, reach_);
  }
}

void Mmd::run(std::int64_t iterations) {
  for (; iterations > 0; --iterations) {
    const auto t = static_cast<double>(++iterations_);
    const double step = options_.step * std::pow(t, -options_.step_decay);
    const double temperature = options_.temperature * std::pow(t, -options_.temperature_decay);
    const Weights weights = {step, step * temperature, std::pow(t, options_.gamma)};
    for (Seat seat = 0; seat < tree_.players(); ++seat)
      parts_.run(seat, [&](std::int32_t first, std::int32_t last) { update(seat, weights, first, last); });
  }
}

// The last sets first: what an information set is worth counts for the move that leads there.
void Mmd::update(Seat seat, const Weights& weights, std::int32_t first_set, std::int32_t last_set) {
  const GameTree::InformationSet* const sets = tree_.sets().data();
  const std::int32_t empty = tree_.first_sequence(seat);
  end_values(tree_, seat, sets[first_set].first, sets[last_set - 1].first + sets[last_set - 1].actions, reach_,
             values_);
  for (std::int32_t s = last_set; s-- > first_set;) {
    const GameTree::InformationSet& set = sets[s];
    const double weight = histories_[at(seat)].weight(s, reach_);
    const double factor = weight > kUnlikely ? weights.step / weight : 0;
    double value = 0;
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a) {
      value += probability_[at(a)] * values_[at(a)];
      sum_[at(a)] += weights.average * reach_[at(a)];
      log_policy_[at(a)] =
          (log_policy_[at(a)] + factor * values_[at(a)] + weights.pull * log_magnet_[at(a)]) / (1 + weights.pull);
    }
    exponentiate(set);
    if (options_.magnet_rate > 0)
      for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
        log_magnet_[at(a)] += options_.magnet_rate * (log_policy_[at(a)] - log_magnet_[at(a)]);
    if (set.parent != empty) values_[at(set.parent)] += value;
  }
  add_up_reach(tree_, first_set, last_set, probability_, reach_);
}

// The likeliest move gets the logarithm 0 first, so that nothing overflows.
void Mmd::exponentiate(const GameTree::InformationSet& set) {
  double* const logs = &log_policy_[at(set.first)];
  double* const probability = &probability_[at(set.first)];
  const double highest = *std::max_element(logs, logs + set.actions);
  double sum = 0;
  for (std::int32_t a = 0; a < set.actions; ++a) {
    logs[a] -= highest;
    sum += probability[a] = std::exp(logs[a]);
  }
  for (std::int32_t a = 0; a < set.actions; ++a) probability[a] /= sum;
}

Policy Mmd::average() const { return normalised(tree_, sum_); }

void Mmd::save(TensorFile& file) const {
  write_iterations(file, iterations_);
  file.tensors["state.log_policy"] = to_tensor(log_policy_);
  file.tensors["state.log_magnet"] = to_tensor(log_magnet_);
  file.tensors["state.sum"] = to_tensor(sum_);
}

void Mmd::load(const TensorFile& file) {
  const std::int64_t iterations = read_iterations(file);
  std::vector<double> policy = read_numbers(file, "state.log_policy", tree_.sequences(), -HUGE_VAL);
  std::vector<double> magnet = read_numbers(file, "state.log_magnet", tree_.sequences(), -HUGE_VAL);
  std::vector<double> sum = read_numbers(file, "state.sum", tree_.sequences(), 0);
  iterations_ = iterations;
  log_policy_ = std::move(policy);
  log_magnet_ = std::move(magnet);
  sum_ = std::move(sum);
  for (const GameTree::InformationSet& set : tree_.sets()) exponentiate(set);
  for (Seat seat = 0; seat < tree_.players(); ++seat) add_up_reach(tree_, seat, probability_, reach_);
}

}  // namespace dealer::tabular
