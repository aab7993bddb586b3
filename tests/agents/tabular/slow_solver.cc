#include "tests/agents/tabular/slow_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/core/at.h"

namespace dealer::test {
namespace {

SlowStrategy zeros(const Walk& walk) {
  SlowStrategy table;
  for (const Walk::Set& set : walk.sets) table.emplace_back(walk.points[at(set.points[0])].next.size());
  return table;
}

void normalise(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w = sum > 0 ? w / sum : 1 / static_cast<double>(weights.size());
}

class Cfr {
 public:
  Cfr(const Walk& walk, SlowKind kind)
      : walk_(walk), kind_(kind), regret_(zeros(walk)), sum_(zeros(walk)), current_(zeros(walk)) {}

  SlowStrategy run(int iterations) {
    for (int i = 1; i <= iterations; ++i)
      for (const Seat seat : {0, 1}) {
        current_ = regret_;
        for (auto& moves : current_) {
          for (double& r : moves) r = std::max(0.0, r);
          normalise(moves);
        }
        weight_ = kind_ == SlowKind::kPlain ? 1 : kind_ == SlowKind::kPlus ? i : static_cast<double>(i) * i;
        learner_ = seat;
        change_ = zeros(walk_);
        visit(0, 1, 1);
        for (std::size_t s = 0; s < regret_.size(); ++s)
          for (std::size_t a = 0; walk_.sets[s].seat == seat && a < regret_[s].size(); ++a)
            regret_[s][a] = kept(regret_[s][a] + change_[s][a], i);
      }
    for (auto& moves : sum_) normalise(moves);
    return sum_;
  }

 private:
  double kept(double regret, int iteration) const {
    if (kind_ == SlowKind::kPlain) return regret;
    if (kind_ == SlowKind::kPlus) return std::max(0.0, regret);
    const double power = iteration * std::sqrt(iteration);
    return regret > 0 ? regret * (power / (power + 1)) : regret / 2;
  }

  // What the learner gains; reach of the learner and of all others.
  double visit(int index, double mine, double others) {
    const Walk::Point& point = walk_.points[at(index)];
    if (point.turn == kTerminal) return learner_ == 0 ? point.gain : -point.gain;
    double value = 0;
    if (point.turn != learner_) {
      const auto& p = point.turn == kChance ? point.probability : current_[at(point.set)];
      for (std::size_t a = 0; a < p.size(); ++a) value += p[a] * visit(point.next[a], mine, others * p[a]);
      return value;
    }
    const auto& p = current_[at(point.set)];
    std::vector<double> values(p.size());
    for (std::size_t a = 0; a < p.size(); ++a) {
      values[a] = visit(point.next[a], mine * p[a], others);
      value += p[a] * values[a];
      sum_[at(point.set)][a] += weight_ * mine * p[a];
    }
    for (std::size_t a = 0; a < p.size(); ++a) change_[at(point.set)][a] += others * (values[a] - value);
    return value;
  }

  const Walk& walk_;
  SlowKind kind_;
  SlowStrategy regret_, sum_, current_, change_;
  Seat learner_ = 0;
  double weight_ = 1;
};

// Of one seat against a strategy: its sets are decided as soon as they are met, which perfect recall makes sound.
class BestResponse {
 public:
  BestResponse(const Walk& walk, const SlowStrategy& strategy, Seat seat)
      : walk_(walk), strategy_(strategy), seat_(seat), reach_(walk.points.size()), choice_(walk.sets.size(), -1) {
    reach_[0] = 1;
    for (std::size_t i = 0; i < reach_.size(); ++i)
      for (std::size_t a = 0; a < walk.points[i].next.size(); ++a)
        reach_[at(walk.points[i].next[a])] = reach_[i] * (walk.points[i].turn == seat ? 1 : chance(walk.points[i])[a]);
  }

  double value(int index) {
    const Walk::Point& point = walk_.points[at(index)];
    if (point.turn == kTerminal) return seat_ == 0 ? point.gain : -point.gain;
    if (point.turn == seat_) return value(point.next[at(choose(point.set))]);
    double sum = 0;
    const auto& p = chance(point);
    for (std::size_t a = 0; a < p.size(); ++a) sum += p[a] * value(point.next[a]);
    return sum;
  }

 private:
  const std::vector<double>& chance(const Walk::Point& point) const {
    return point.turn == kChance ? point.probability : strategy_[at(point.set)];
  }

  int choose(int set) {
    int& choice = choice_[at(set)];
    if (choice >= 0) return choice;
    const std::vector<int>& points = walk_.sets[at(set)].points;
    std::vector<double> values(strategy_[at(set)].size());
    for (std::size_t a = 0; a < values.size(); ++a)
      for (const int point : points) values[a] += reach_[at(point)] * value(walk_.points[at(point)].next[a]);
    return choice = static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin());
  }

  const Walk& walk_;
  const SlowStrategy& strategy_;
  const Seat seat_;
  std::vector<double> reach_;
  std::vector<int> choice_;
};

}  // namespace

SlowStrategy slow_cfr(const Walk& walk, int iterations, SlowKind kind) { return Cfr(walk, kind).run(iterations); }

double slow_value(const Walk& walk, const SlowStrategy& strategy) {
  std::vector<double> value(walk.points.size());
  for (std::size_t i = value.size(); i-- > 0;) {
    const Walk::Point& point = walk.points[i];
    value[i] = point.gain;
    if (point.turn == kTerminal) continue;
    const auto& p = point.turn == kChance ? point.probability : strategy[at(point.set)];
    for (std::size_t a = 0; a < p.size(); ++a) value[i] += p[a] * value[at(point.next[a])];
  }
  return value[0];
}

double slow_best_response(const Walk& walk, const SlowStrategy& strategy, Seat seat) {
  return BestResponse(walk, strategy, seat).value(0);
}

SlowStrategy slow_strategy(const Walk& walk, const tabular::GameTree& tree, const tabular::Policy& policy) {
  SlowStrategy strategy;
  for (const Walk::Set& set : walk.sets) {
    const auto& found = tree.sets()[at(tree.find(set.seat, set.seen))];
    const auto first = policy.probability.begin() + found.first;
    strategy.emplace_back(first, first + found.actions);
  }
  return strategy;
}

tabular::Policy random_policy(const tabular::GameTree& tree, std::uint64_t seed) {
  tabular::Policy policy = tabular::uniform_policy(tree);
  RandomStream rng(seed);
  for (const auto& set : tree.sets()) {
    double sum = 0;
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
      sum += policy.probability[at(a)] = static_cast<double>(rng.uniform()) + 0.01;
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a) policy.probability[at(a)] /= sum;
  }
  return policy;
}

}  // namespace dealer::test
