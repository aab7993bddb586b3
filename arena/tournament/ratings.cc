#include "arena/tournament/ratings.h"

#include <Eigen/Dense>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "arena/confidence.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/student_t.h"

namespace dealer::tournament {
namespace {

// The agents of the largest connected group, in order.
std::vector<int> largest_group(int agents, std::span<const PairEstimate> pairs) {
  std::vector<int> root(at(agents));
  std::iota(root.begin(), root.end(), 0);
  const auto group_of = [&](int agent) {
    while (root[at(agent)] != agent) agent = root[at(agent)];
    return agent;
  };
  for (const PairEstimate& pair : pairs) {
    if (!pair.known()) continue;
    const auto [low, high] = std::minmax({group_of(pair.a), group_of(pair.b)});
    root[at(high)] = low;
  }
  std::vector<std::vector<int>> groups(at(agents));
  for (int agent = 0; agent < agents; ++agent) groups[at(group_of(agent))].push_back(agent);
  return *std::max_element(groups.begin(), groups.end(),
                           [](const auto& one, const auto& other) { return one.size() < other.size(); });
}

// Temperatures relative to the largest payoff.
constexpr double kFirst = 1, kLast = 1e-8, kStep = 0.5;
constexpr int kMostNewtonSteps = 60;

Eigen::VectorXd softmax(const Eigen::VectorXd& x) {
  Eigen::VectorXd p = (x.array() - x.maxCoeff()).exp();
  return p / p.sum();
}

// Newton's method from a nearby x to the solution of t x = payoffs softmax(x).
void solve_at(const Eigen::MatrixXd& payoffs, double t, Eigen::VectorXd& x) {
  const Eigen::Index n = x.size();
  const auto residual_of = [&](const Eigen::VectorXd& at) -> Eigen::VectorXd { return t * at - payoffs * softmax(at); };
  Eigen::VectorXd residual = residual_of(x);
  for (int step = 0; step < kMostNewtonSteps && residual.lpNorm<Eigen::Infinity>() > 1e-15; ++step) {
    const Eigen::VectorXd p = softmax(x);
    // t + payoffs (diag(p) - p p') has the eigenvalues t + i w, so it is always invertible.
    Eigen::MatrixXd slope = -(payoffs * p.asDiagonal()) + (payoffs * p) * p.transpose();
    slope += t * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd direction = -slope.partialPivLu().solve(residual);
    double length = 1;
    bool better = false;
    for (; length > 1e-6 && !better; length /= 2) {
      const Eigen::VectorXd there = x + length * direction;
      const Eigen::VectorXd left = residual_of(there);
      better = left.norm() < residual.norm();
      if (!better) continue;
      x = there;
      residual = left;
    }
    if (!better) break;  // machine precision is reached
  }
}

Eigen::VectorXd equilibrium(const Eigen::MatrixXd& payoffs) {
  const double scale = payoffs.cwiseAbs().maxCoeff();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(payoffs.rows());
  if (scale == 0) return softmax(x);
  const Eigen::MatrixXd scaled = payoffs / scale;
  double temperature = kFirst;
  while (temperature > kLast) {
    solve_at(scaled, temperature, x);
    temperature *= kStep;
  }
  solve_at(scaled, kLast, x);
  return softmax(x);
}

// A standard normal variate (Box and Muller 1958).
double normal(RandomStream& rng) {
  constexpr double kTwoTo53 = 9007199254740992.0;
  const double u = (static_cast<double>(rng.bits64() >> 11) + 0.5) / kTwoTo53;
  const double v = static_cast<double>(rng.bits64() >> 11) / kTwoTo53;
  const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
  return radius * std::cos(angle);
}

struct Edge {
  double mean = 0;   // above 0
  double clear = 0;  // distance of the interval from zero
  bool certain = false;
};

// The significant wins: the winner first.
using Beats = std::map<std::pair<int, int>, Edge>;

Beats beats_of(std::span<const PairEstimate> pairs) {
  Beats beats;
  const auto looked_at = static_cast<double>(
      std::count_if(pairs.begin(), pairs.end(), [](const PairEstimate& pair) { return pair.known(); }));
  for (const PairEstimate& pair : pairs) {
    if (!pair.known()) continue;
    const double reach = half_width95(pair), size = std::abs(pair.mean);
    if (size <= reach) continue;
    const double error = reach / kNormal975;
    const double by_chance = error > 0 ? std::erfc(size / error / std::numbers::sqrt2) : 0;
    const auto winner_and_loser = pair.mean > 0 ? std::pair(pair.a, pair.b) : std::pair(pair.b, pair.a);
    beats[winner_and_loser] = {size, size - reach, by_chance * looked_at < 0.05};
  }
  return beats;
}

Cycle cycle_of(const Beats& beats, std::vector<int> agents) {
  Cycle cycle;
  cycle.agents = std::move(agents);
  cycle.clear_by = std::numeric_limits<double>::infinity();
  cycle.certain = true;
  for (std::size_t i = 0; i < cycle.agents.size(); ++i) {
    const Edge& edge = beats.at({cycle.agents[i], cycle.agents[(i + 1) % cycle.agents.size()]});
    cycle.means.push_back(edge.mean);
    cycle.clear_by = std::min(cycle.clear_by, edge.clear);
    cycle.certain = cycle.certain && edge.certain;
  }
  return cycle;
}

// A shortest cycle through an agent over agents with no smaller index; empty if there is none.
std::vector<int> shortest_from(const Beats& beats, int agents, int start) {
  std::vector<int> before(at(agents), -1);
  std::vector<int> queue = {start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int next = start; next < agents; ++next) {
      if (!beats.contains({queue[i], next})) continue;
      if (next == start) {
        std::vector<int> way = {queue[i]};
        while (way.back() != start) way.push_back(before[at(way.back())]);
        std::reverse(way.begin(), way.end());
        return way;
      }
      if (before[at(next)] >= 0) continue;
      before[at(next)] = queue[i];
      queue.push_back(next);
    }
  }
  return {};
}

}  // namespace

PairEstimate estimate_of(int a, int b, const ClusteredRatio& points) {
  PairEstimate estimate;
  estimate.a = a;
  estimate.b = b;
  estimate.mean = points.ratio();
  if (points.clusters() < 2) return estimate;
  const auto clusters = static_cast<double>(points.clusters());
  estimate.variance = points.variance() / clusters;
  estimate.degrees_of_freedom = clusters - 1;
  return estimate;
}

LeastSquares::LeastSquares(int agents, std::span<const PairEstimate> pairs) : place_(at(agents), -1) {
  const std::vector<int> group = largest_group(agents, pairs);
  if (group.size() < 2) return;
  const auto size = static_cast<Eigen::Index>(group.size());
  for (Eigen::Index i = 0; i < size; ++i) place_[at(group[at(i)])] = i;
  for (const PairEstimate& pair : pairs)
    if (pair.known() && is_rated(pair.a)) pairs_.push_back(pair);
  // The Laplacian of the pairs; its null space, the constant vectors, is fixed to zero.
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Constant(size, size, 1 / static_cast<double>(size));
  for (const PairEstimate& pair : pairs_) {
    const Eigen::Index a = place_[at(pair.a)], b = place_[at(pair.b)];
    laplacian(a, a) += 1;
    laplacian(b, b) += 1;
    laplacian(a, b) -= 1;
    laplacian(b, a) -= 1;
  }
  inverse_ = laplacian.llt().solve(Eigen::MatrixXd::Identity(size, size));
}

PairEstimate LeastSquares::sum_of(const Eigen::VectorXd& weights) const {
  PairEstimate sum;
  double squares = 0;
  sum.variance = 0;
  for (const PairEstimate& pair : pairs_) {
    const double weight = weights(place_[at(pair.a)]) - weights(place_[at(pair.b)]);
    const double part = weight * weight * pair.variance;
    sum.mean += weight * pair.mean;
    sum.variance += part;
    squares += part * part / pair.degrees_of_freedom;
  }
  sum.degrees_of_freedom = squares > 0 ? sum.variance * sum.variance / squares : 1;
  return sum;
}

Rating LeastSquares::rating(int agent) const {
  if (!is_rated(agent)) return {};
  const PairEstimate sum = sum_of(inverse_.col(place_[at(agent)]));
  return {true, sum.mean, half_width95(sum)};
}

double LeastSquares::superiority(int a, int b) const {
  if (!is_rated(a) || !is_rated(b)) return std::numeric_limits<double>::quiet_NaN();
  return tournament::superiority(sum_of(inverse_.col(place_[at(a)]) - inverse_.col(place_[at(b)])));
}

std::vector<Rating> rate(int agents, std::span<const PairEstimate> pairs) {
  const LeastSquares squares(agents, pairs);
  std::vector<Rating> ratings;
  ratings.reserve(at(agents));
  for (int agent = 0; agent < agents; ++agent) ratings.push_back(squares.rating(agent));
  return ratings;
}

double superiority(const PairEstimate& pair) {
  return likelihood_of_superiority(pair.mean, std::sqrt(pair.variance), pair.degrees_of_freedom);
}

double explained_share(std::span<const Rating> ratings, std::span<const PairEstimate> pairs) {
  double left = 0, all = 0;
  for (const PairEstimate& pair : pairs) {
    const Rating& a = ratings[at(pair.a)];
    const Rating& b = ratings[at(pair.b)];
    if (!pair.known() || !a.known || !b.known) continue;
    const double rest = pair.mean - (a.value - b.value);
    left += rest * rest;
    all += pair.mean * pair.mean;
  }
  return all > 0 ? 1 - left / all : 1;
}

NashAverage nash_average(const Eigen::MatrixXd& payoffs) {
  if (payoffs.rows() == 0 || payoffs.rows() != payoffs.cols() || !payoffs.allFinite() ||
      payoffs != -payoffs.transpose())
    throw UsageError("the payoff matrix is not antisymmetric; expected a finite matrix equal to minus its transpose");
  NashAverage average;
  average.weights = equilibrium(payoffs);
  average.payoffs = payoffs * average.weights;
  average.exploitability = std::max(0.0, average.payoffs.maxCoeff());
  return average;
}

Eigen::MatrixXd payoff_matrix(int agents, std::span<const PairEstimate> pairs) {
  Eigen::MatrixXd payoffs = Eigen::MatrixXd::Zero(agents, agents);
  for (const PairEstimate& pair : pairs) {
    payoffs(pair.a, pair.b) = pair.mean;
    payoffs(pair.b, pair.a) = -pair.mean;
  }
  return payoffs;
}

std::vector<NashRange> nash_ranges(int agents, std::span<const PairEstimate> pairs, std::uint64_t seed) {
  // With dozens of agents each draw is slow.
  const int draws = agents <= 24 ? 400 : 100;
  constexpr std::uint64_t kStream = 0x6e617368;
  RandomStream rng(seed, kStream);
  std::vector<std::vector<double>> weights(at(agents));
  std::vector<PairEstimate> drawn(pairs.begin(), pairs.end());
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      // As wide as the pair's own interval.
      const double wider = student_t975(static_cast<std::int64_t>(pairs[i].degrees_of_freedom)) / kNormal975;
      drawn[i].mean = pairs[i].mean + normal(rng) * wider * std::sqrt(pairs[i].variance);
    }
    const Eigen::VectorXd p = equilibrium(payoff_matrix(agents, drawn));
    for (int a = 0; a < agents; ++a) weights[at(a)].push_back(p(a));
  }
  std::vector<NashRange> ranges;
  for (std::vector<double>& of_agent : weights) {
    std::sort(of_agent.begin(), of_agent.end());
    const auto outside = at(draws) / 40;
    ranges.push_back({of_agent[outside], of_agent[of_agent.size() - 1 - outside]});
  }
  return ranges;
}

double half_width95(const PairEstimate& pair) {
  constexpr double kAsGoodAsNormal = 1e9;
  const double degrees = std::clamp(pair.degrees_of_freedom, 1.0, kAsGoodAsNormal);
  return student_t975(static_cast<std::int64_t>(degrees)) * std::sqrt(pair.variance);
}

Cycles find_cycles(int agents, std::span<const PairEstimate> pairs, std::size_t most) {
  const Beats beats = beats_of(pairs);
  Cycles cycles;
  std::vector<char> in_cycle(at(agents));
  const auto add = [&](std::vector<int> way) {
    for (const int agent : way) in_cycle[at(agent)] = 1;
    cycles.shown.push_back(cycle_of(beats, std::move(way)));
    ++cycles.found;
  };
  for (int a = 0; a < agents; ++a)
    for (int b = a + 1; b < agents; ++b)
      for (int c = a + 1; c < agents; ++c)
        if (beats.contains({a, b}) && beats.contains({b, c}) && beats.contains({c, a})) add({a, b, c});
  for (int a = 0; a < agents; ++a) {
    if (in_cycle[at(a)] != 0) continue;
    const std::vector<int> way = shortest_from(beats, agents, a);
    const bool is_new = std::none_of(way.begin(), way.end(), [&](int agent) { return in_cycle[at(agent)] != 0; });
    if (!way.empty() && is_new) add(way);
  }
  std::stable_sort(cycles.shown.begin(), cycles.shown.end(),
                   [](const Cycle& one, const Cycle& other) { return one.clear_by > other.clear_by; });
  if (cycles.shown.size() > most) cycles.shown.resize(most);
  return cycles;
}

}  // namespace dealer::tournament
