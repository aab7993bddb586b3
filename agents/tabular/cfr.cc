#include "agents/tabular/cfr.h"

#include <algorithm>
#include <cmath>

#include "env/core/at.h"

namespace dealer::tabular {
namespace {

// Sets with a smaller reach have no values: the quotient of two such numbers is meaningless.
constexpr double kUnlikely = 1e-200;

int threads_for(const GameTree& tree, int threads) {
  return threads <= 0 && tree.ends() < TreeParts::kWorthThreads ? 1 : thread_count(threads);
}

double discount(double exponent, double iteration) {
  if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
  const double power = std::pow(iteration, exponent);
  return std::isinf(power) ? 1 : power / (power + 1);
}

}  // namespace

TreeParts::TreeParts(const GameTree& tree, int threads) : tree_(tree) {
  threads = threads_for(tree, threads);
  if (threads > 1) pool_ = std::make_unique<WorkerPool>(threads);
  for (Seat seat = 0; seat < tree.players(); ++seat) bound_.push_back(cut(seat, threads));
}

// A part may begin only with a set that no other set of the seat leads to; parts have about equal numbers of payoffs.
std::vector<std::int32_t> TreeParts::cut(Seat seat, int parts) const {
  const std::int32_t begin = tree_.first_set(seat), end = tree_.first_set(seat + 1), empty = tree_.first_sequence(seat);
  const auto work_before = [&](std::int64_t sequence) {
    return tree_.payoffs(seat).first[at(sequence - empty)] + sequence - empty;
  };
  const std::int64_t all = work_before(tree_.first_sequence(seat + 1));
  std::vector<std::int32_t> bound = {begin};
  for (std::int32_t s = begin + 1; s < end; ++s) {
    const GameTree::InformationSet& set = tree_.sets()[at(s)];
    const auto made = static_cast<std::int64_t>(bound.size());
    if (set.parent == empty && made < parts && work_before(set.first) * parts >= all * made) bound.push_back(s);
  }
  // Parts without work.
  bound.resize(at(parts), end);
  bound.push_back(end);
  return bound;
}

void TreeParts::run(Seat seat, const std::function<void(std::int32_t first, std::int32_t last)>& job) {
  const std::vector<std::int32_t>& bound = bound_[at(seat)];
  const auto work = [&](int part) {
    if (bound[at(part)] < bound[at(part) + 1]) job(bound[at(part)], bound[at(part) + 1]);
  };
  if (pool_ == nullptr) return work(0);
  pool_->run(work);
}

TreeSolver::TreeSolver(const GameTree& tree, int threads)
    : tree_(tree),
      sum_(at(tree.sequences())),
      probability_(uniform_policy(tree).probability),
      reach_(at(tree.sequences())),
      values_(at(tree.sequences())),
      parts_(tree, threads) {
  add_up_reach_of_all();
}

void TreeSolver::add_up_reach_of_all() {
  for (Seat seat = 0; seat < tree_.players(); ++seat) add_up_reach(tree_, seat, probability_, reach_);
}

// In reverse order, because the value of an information set is added to the move that leads there.
template <class Learn>
void TreeSolver::update_all(const Learn& learn) {
  const GameTree::InformationSet* const sets = tree_.sets().data();
  for (Seat seat = 0; seat < tree_.players(); ++seat) {
    const std::int32_t empty = tree_.first_sequence(seat);
    parts_.run(seat, [&](std::int32_t first, std::int32_t last) {
      end_values(tree_, seat, sets[first].first, sets[last - 1].first + sets[last - 1].actions, reach_, values_);
      for (std::int32_t s = last; s-- > first;) {
        const double value = learn(seat, s);
        // The value of the whole game is not needed, and other parts would add to it concurrently.
        if (sets[s].parent != empty) values_[at(sets[s].parent)] += value;
      }
      add_up_reach(tree_, first, last, probability_, reach_);
    });
  }
}

Policy TreeSolver::average() const { return normalised(tree_, sum_); }

void TreeSolver::save(TensorFile& file) const {
  write_iterations(file, iterations_);
  file.tensors["state.sum"] = to_tensor(sum_);
}

std::vector<double> TreeSolver::read(const TensorFile& file, const char* tensor) const {
  return read_numbers(file, tensor, tree_.sequences(), -HUGE_VAL);
}

void TreeSolver::restore(std::int64_t iterations, std::vector<double> sum) {
  iterations_ = iterations;
  sum_ = std::move(sum);
  add_up_reach_of_all();
}

Cfr::Cfr(const GameTree& tree, const CfrOptions& options, int threads)
    : TreeSolver(tree, threads), options_(options), regret_(at(tree.sequences())) {}

void Cfr::run(std::int64_t iterations) {
  for (; iterations > 0; --iterations) {
    const auto t = static_cast<double>(++iterations_);
    // The discounts of positive and negative regrets, and of the policy.
    const double above = discount(options_.alpha, t), below = discount(options_.beta, t),
                 weight = std::pow(t, options_.gamma);
    update_all([&](Seat, std::int32_t s) {
      const GameTree::InformationSet& set = tree_.sets().data()[s];
      double* const regret = &regret_[at(set.first)];
      double* const probability = &probability_[at(set.first)];
      double* const sum = &sum_[at(set.first)];
      const double* const values = &values_[at(set.first)];
      const double* const reach = &reach_[at(set.first)];
      double value = 0;
      for (std::int32_t a = 0; a < set.actions; ++a) {
        value += probability[a] * values[a];
        sum[a] += weight * reach[a];
      }
      for (std::int32_t a = 0; a < set.actions; ++a) {
        const double now = regret[a] + values[a] - value;
        regret[a] = now * (now > 0 ? above : below);
      }
      normalise(regret, set.actions, probability);
      return value;
    });
  }
}

void Cfr::save(TensorFile& file) const {
  TreeSolver::save(file);
  file.tensors["state.regret"] = to_tensor(regret_);
}

void Cfr::load(const TensorFile& file) {
  const std::int64_t iterations = read_iterations(file);
  std::vector<double> regret = read(file, "state.regret");
  std::vector<double> sum = read_numbers(file, "state.sum", tree_.sequences(), 0);
  regret_ = std::move(regret);
  probability_ = normalised(tree_, regret_).probability;
  restore(iterations, std::move(sum));
}

Mmd::Mmd(const GameTree& tree, const MmdOptions& options, int threads)
    : TreeSolver(tree, threads),
      options_(options),
      log_policy_(at(tree.sequences())),
      log_magnet_(at(tree.sequences())) {
  for (Seat seat = 0; seat < tree.players(); ++seat) histories_.emplace_back(tree, seat);
}

void Mmd::run(std::int64_t iterations) {
  for (; iterations > 0; --iterations) {
    const auto t = static_cast<double>(++iterations_);
    const double step = options_.step * std::pow(t, -options_.step_decay);
    // The weight of the magnet.
    const double pull = step * (options_.temperature * std::pow(t, -options_.temperature_decay));
    const double weight = std::pow(t, options_.gamma);
    update_all([&](Seat seat, std::int32_t s) {
      const GameTree::InformationSet& set = tree_.sets().data()[s];
      const double likely = histories_[at(seat)].weight(s, reach_);
      const double factor = likely > kUnlikely ? step / likely : 0;
      double value = 0;
      for (std::int32_t a = set.first; a < set.first + set.actions; ++a) {
        value += probability_[at(a)] * values_[at(a)];
        sum_[at(a)] += weight * reach_[at(a)];
        log_policy_[at(a)] = (log_policy_[at(a)] + factor * values_[at(a)] + pull * log_magnet_[at(a)]) / (1 + pull);
      }
      exponentiate(set);
      if (options_.magnet_rate > 0)
        for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
          log_magnet_[at(a)] += options_.magnet_rate * (log_policy_[at(a)] - log_magnet_[at(a)]);
      return value;
    });
  }
}

// The most probable move is normalised to logarithm 0 first, to prevent overflow.
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

void Mmd::save(TensorFile& file) const {
  TreeSolver::save(file);
  file.tensors["state.log_policy"] = to_tensor(log_policy_);
  file.tensors["state.log_magnet"] = to_tensor(log_magnet_);
}

void Mmd::load(const TensorFile& file) {
  const std::int64_t iterations = read_iterations(file);
  std::vector<double> policy = read(file, "state.log_policy"), magnet = read(file, "state.log_magnet");
  std::vector<double> sum = read_numbers(file, "state.sum", tree_.sequences(), 0);
  log_policy_ = std::move(policy);
  log_magnet_ = std::move(magnet);
  for (const GameTree::InformationSet& set : tree_.sets()) exponentiate(set);
  restore(iterations, std::move(sum));
}

}  // namespace dealer::tabular
