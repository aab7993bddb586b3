#include "arena/tournament/ratings.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace dealer::tournament {
namespace {

// The agents of the largest group that pairs connect, in order.
std::vector<int> largest_group(int agents, std::span<const PairEstimate> pairs) {
  std::vector<int> root(static_cast<std::size_t>(agents));
  std::iota(root.begin(), root.end(), 0);
  const auto group_of = [&](int agent) {
    while (root[static_cast<std::size_t>(agent)] != agent) agent = root[static_cast<std::size_t>(agent)];
    return agent;
  };
  for (const PairEstimate& pair : pairs) {
    if (!pair.known()) continue;
    const auto [low, high] = std::minmax({group_of(pair.a), group_of(pair.b)});
    root[static_cast<std::size_t>(high)] = low;
  }
  std::vector<std::vector<int>> groups(static_cast<std::size_t>(agents));
  for (int agent = 0; agent < agents; ++agent) groups[static_cast<std::size_t>(group_of(agent))].push_back(agent);
  return *std::max_element(groups.begin(), groups.end(),
                           [](const auto& one, const auto& other) { return one.size() < other.size(); });
}

std::int64_t whole(double degrees_of_freedom) {
  constexpr double kAsGoodAsNormal = 1e9;
  return static_cast<std::int64_t>(std::clamp(degrees_of_freedom, 1.0, kAsGoodAsNormal));
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

std::vector<Rating> rate(int agents, std::span<const PairEstimate> pairs) {
  std::vector<Rating> ratings(static_cast<std::size_t>(agents));
  const std::vector<int> group = largest_group(agents, pairs);
  if (group.size() < 2) return ratings;
  const auto size = static_cast<Eigen::Index>(group.size());
  std::vector<Eigen::Index> place(static_cast<std::size_t>(agents), -1);
  for (Eigen::Index i = 0; i < size; ++i) place[static_cast<std::size_t>(group[static_cast<std::size_t>(i)])] = i;
  const auto at = [&](int agent) { return place[static_cast<std::size_t>(agent)]; };

  // The Laplacian of the pairs; what is constant over all agents, which it cannot see, is set to zero.
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Constant(size, size, 1 / static_cast<double>(size));
  for (const PairEstimate& pair : pairs) {
    if (!pair.known() || at(pair.a) < 0) continue;
    const Eigen::Index a = at(pair.a), b = at(pair.b);
    laplacian(a, a) += 1;
    laplacian(b, b) += 1;
    laplacian(a, b) -= 1;
    laplacian(b, a) -= 1;
  }
  const Eigen::MatrixXd inverse = laplacian.llt().solve(Eigen::MatrixXd::Identity(size, size));
  for (Eigen::Index i = 0; i < size; ++i) {
    double value = 0, variance = 0, squares = 0;
    for (const PairEstimate& pair : pairs) {
      if (!pair.known() || at(pair.a) < 0) continue;
      const double weight = inverse(i, at(pair.a)) - inverse(i, at(pair.b));
      const double part = weight * weight * pair.variance;
      value += weight * pair.mean;
      variance += part;
      squares += part * part / pair.degrees_of_freedom;
    }
    const double degrees_of_freedom = squares > 0 ? variance * variance / squares : 1;
    Rating& rating = ratings[static_cast<std::size_t>(group[static_cast<std::size_t>(i)])];
    rating = {true, value, student_t975(whole(degrees_of_freedom)) * std::sqrt(variance)};
  }
  return ratings;
}

double explained_share(std::span<const Rating> ratings, std::span<const PairEstimate> pairs) {
  double left = 0, all = 0;
  for (const PairEstimate& pair : pairs) {
    const Rating& a = ratings[static_cast<std::size_t>(pair.a)];
    const Rating& b = ratings[static_cast<std::size_t>(pair.b)];
    if (!pair.known() || !a.known || !b.known) continue;
    const double rest = pair.mean - (a.value - b.value);
    left += rest * rest;
    all += pair.mean * pair.mean;
  }
  return all > 0 ? 1 - left / all : 1;
}

}  // namespace dealer::tournament
