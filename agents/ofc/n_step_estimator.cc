#include "agents/ofc/n_step_estimator.h"

#include <algorithm>
#include <cmath>

namespace dealer::ofc {

NStepEstimator::NStepEstimator(std::span<const double> network, int horizons)
    : network_(network.begin(), network.end()), horizons_(static_cast<std::size_t>(horizons)) {
  for (std::size_t h = 0; h < horizons_; ++h) sums_[h].resize(network.size());
}

void NStepEstimator::add(std::span<const std::size_t> left, std::span<const PlayedOut> results, int horizons) {
  for (std::size_t h = 0; h < static_cast<std::size_t>(horizons); ++h) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double before = h == 0 ? network_[left[i]] : results[i].stake[h - 1];
      const double correction = results[i].stake[h] - before;
      Sum& own = sums_[h][left[i]];
      ++own.deals;
      own.sum += correction;
      own.squares += correction * correction;
      sum += correction;
      squares += correction * correction;
    }
    const auto n = static_cast<double>(left.size());
    squares_[h] += std::max(0.0, squares - sum * sum / n);
    freedom_[h] += static_cast<std::int64_t>(left.size()) - 1;
  }
}

void NStepEstimator::add(const NStepEstimator& other) {
  for (std::size_t h = 0; h < horizons_; ++h) {
    for (std::size_t i = 0; i < network_.size(); ++i) {
      sums_[h][i].deals += other.sums_[h][i].deals;
      sums_[h][i].sum += other.sums_[h][i].sum;
      sums_[h][i].squares += other.sums_[h][i].squares;
    }
    squares_[h] += other.squares_[h];
    freedom_[h] += other.freedom_[h];
  }
}

void NStepEstimator::weigh(std::span<const std::size_t> left, std::span<double> values) const {
  for (const std::size_t i : left) values[i] = network_[i];
  for (std::size_t h = 0; h < horizons_; ++h) {
    const auto deals = static_cast<double>(sums_[h][left.front()].deals);
    if (deals == 0) continue;
    double common = 0;
    for (const std::size_t i : left) common += sums_[h][i].sum / deals / static_cast<double>(left.size());
    const double weight = trust(h, sums_[h][left.front()].deals).weight;
    for (const std::size_t i : left) values[i] += common + weight * (sums_[h][i].sum / deals - common);
  }
}

NStepEstimator::Trust NStepEstimator::trust(std::size_t h, std::int64_t deals) const {
  const double noise =
      freedom_[h] > 0 ? squares_[h] / static_cast<double>(freedom_[h]) / static_cast<double>(deals) : 0;
  const double error = kNetworkError[h] * kNetworkError[h];
  return {noise, error / (error + noise)};
}

// The variance of the posterior is weight * noise for each placement and horizon.
double NStepEstimator::difference_error(std::size_t placement) const {
  double variance = 0;
  for (std::size_t h = 0; h < horizons_; ++h) {
    const std::int64_t deals = sums_[h][placement].deals;
    if (deals == 0) continue;
    const Trust known = trust(h, deals);
    variance += 2 * known.weight * known.noise;
  }
  return std::sqrt(variance);
}

double NStepEstimator::error(std::size_t placement) const {
  double variance = 0;
  for (std::size_t h = 0; h < horizons_; ++h) {
    const Sum& own = sums_[h][placement];
    const auto n = static_cast<double>(own.deals);
    if (own.deals > 1) variance += std::max(0.0, own.squares - own.sum * own.sum / n) / (n * (n - 1));
  }
  return std::sqrt(variance);
}

}  // namespace dealer::ofc
