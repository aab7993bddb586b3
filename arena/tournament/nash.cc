#include "arena/tournament/nash.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "arena/confidence.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer::tournament {
namespace {

// Temperatures, as shares of the largest payoff.
constexpr double kFirst = 1, kLast = 1e-8, kStep = 0.5;
constexpr int kMostNewtonSteps = 60;

Eigen::VectorXd softmax(const Eigen::VectorXd& x) {
  Eigen::VectorXd p = (x.array() - x.maxCoeff()).exp();
  return p / p.sum();
}

// Brings x to the solution of t x = payoffs softmax(x), from one that is not far from it.
void solve_at(const Eigen::MatrixXd& payoffs, double t, Eigen::VectorXd& x) {
  const Eigen::Index n = x.size();
  const auto residual_of = [&](const Eigen::VectorXd& at) -> Eigen::VectorXd { return t * at - payoffs * softmax(at); };
  Eigen::VectorXd residual = residual_of(x);
  for (int step = 0; step < kMostNewtonSteps && residual.lpNorm<Eigen::Infinity>() > 1e-15; ++step) {
    const Eigen::VectorXd p = softmax(x);
    // t + payoffs (diag(p) - p p') has the eigenvalues t + i w: it can always be inverted.
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
    if (!better) break;  // as good as numbers can be
  }
}

Eigen::VectorXd equilibrium(const Eigen::MatrixXd& payoffs) {
  const double scale = payoffs.cwiseAbs().maxCoeff();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(payoffs.rows());
  if (scale == 0) return softmax(x);
  const Eigen::MatrixXd scaled = payoffs / scale;
  for (double t = kFirst; t > kLast; t *= kStep) solve_at(scaled, t, x);
  solve_at(scaled, kLast, x);
  return softmax(x);
}

// Two of the standard normal distribution (Box and Muller 1958).
std::pair<double, double> normals(RandomStream& rng) {
  constexpr double kTwoTo53 = 9007199254740992.0;
  const double u = (static_cast<double>(rng.bits64() >> 11) + 0.5) / kTwoTo53;
  const double v = static_cast<double>(rng.bits64() >> 11) / kTwoTo53;
  const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

NashAverage nash_average(const Eigen::MatrixXd& payoffs) {
  if (payoffs.rows() == 0 || payoffs.rows() != payoffs.cols() || !payoffs.allFinite() ||
      payoffs != -payoffs.transpose())
    throw UsageError("payoffs of no game between two alike; expected a finite matrix that is minus its transpose");
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
  // Beyond some dozens of agents each draw takes long.
  const int draws = agents <= 24 ? 400 : 100;
  constexpr double kNormal975 = 1.959963985;
  constexpr std::uint64_t kStream = 0x6e617368;
  RandomStream rng(seed, kStream);
  std::vector<std::vector<double>> weights(static_cast<std::size_t>(agents));
  std::vector<PairEstimate> drawn(pairs.begin(), pairs.end());
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      // As wide as the pair's own interval.
      const double wider = student_t975(static_cast<std::int64_t>(pairs[i].degrees_of_freedom)) / kNormal975;
      drawn[i].mean = pairs[i].mean + normals(rng).first * wider * std::sqrt(pairs[i].variance);
    }
    const Eigen::VectorXd p = equilibrium(payoff_matrix(agents, drawn));
    for (int a = 0; a < agents; ++a) weights[static_cast<std::size_t>(a)].push_back(p(a));
  }
  std::vector<NashRange> ranges;
  for (std::vector<double>& of_agent : weights) {
    std::sort(of_agent.begin(), of_agent.end());
    const auto outside = static_cast<std::size_t>(draws) / 40;
    ranges.push_back({of_agent[outside], of_agent[of_agent.size() - 1 - outside]});
  }
  return ranges;
}

}  // namespace dealer::tournament
