#include "tests/agents/tabular/slow_solver.h"

#include "tests/support/testing.h"

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

  // Returns the learner's gain; reach of the learner and of all others.
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

// The values of a seat's moves against a strategy. Its own sets are decided when first visited, which is sound under
// perfect recall, or, if the seat plays the strategy itself, by that.
class Response {
 public:
  Response(const Walk& walk, const SlowStrategy& strategy, Seat seat, bool best)
      : walk_(walk), strategy_(strategy), seat_(seat), best_(best), reach_(walk.points.size()) {
    reach_[0] = 1;
    for (std::size_t i = 0; i < reach_.size(); ++i)
      for (std::size_t a = 0; a < walk.points[i].next.size(); ++a)
        reach_[at(walk.points[i].next[a])] = reach_[i] * (walk.points[i].turn == seat ? 1 : chance(walk.points[i])[a]);
  }

  double value(int index) {
    const Walk::Point& point = walk_.points[at(index)];
    if (point.turn == kTerminal) return seat_ == 0 ? point.gain : -point.gain;
    if (best_ && point.turn == seat_) {
      const std::vector<double>& of = values(point.set);
      return value(point.next[at(std::max_element(of.begin(), of.end()) - of.begin())]);
    }
    double sum = 0;
    const auto& p = chance(point);
    for (std::size_t a = 0; a < p.size(); ++a) sum += p[a] * value(point.next[a]);
    return sum;
  }
  // The values of the moves of one of the seat's sets.
  const std::vector<double>& values(int set) {
    std::vector<double>& values = values_[set];
    if (!values.empty()) return values;
    double all = 0;
    values.resize(strategy_[at(set)].size());
    for (const int point : walk_.sets[at(set)].points) all += reach_[at(point)];
    for (std::size_t a = 0; a < values.size(); ++a)
      for (const int point : walk_.sets[at(set)].points)
        values[a] += reach_[at(point)] / all * value(walk_.points[at(point)].next[a]);
    return values;
  }

 private:
  const std::vector<double>& chance(const Walk::Point& point) const {
    return point.turn == kChance ? point.probability : strategy_[at(point.set)];
  }

  const Walk& walk_;
  const SlowStrategy& strategy_;
  const Seat seat_;
  const bool best_;
  std::vector<double> reach_;
  std::map<int, std::vector<double>> values_;
};

}  // namespace

SlowStrategy slow_cfr(const Walk& walk, int iterations, SlowKind kind) { return Cfr(walk, kind).run(iterations); }

double slow_value(const Walk& walk, const SlowStrategy& strategy) {
  return Response(walk, strategy, 0, false).value(0);
}

double slow_best_response(const Walk& walk, const SlowStrategy& strategy, Seat seat) {
  return Response(walk, strategy, seat, true).value(0);
}

SlowStrategy slow_action_values(const Walk& walk, const SlowStrategy& strategy) {
  SlowStrategy values;
  std::array<Response, 2> of = {Response(walk, strategy, 0, false), Response(walk, strategy, 1, false)};
  for (std::size_t set = 0; set < walk.sets.size(); ++set)
    values.push_back(of[at(walk.sets[set].seat)].values(static_cast<int>(set)));
  return values;
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
