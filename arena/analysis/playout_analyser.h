#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "arena/analysis/analyser.h"

namespace dealer::analysis {

// Means of weighted sums of the results of several choices on the same positions, with their standard errors, clustered
// by hidden hand. Uses constant memory: only sums are kept.
class ChoiceMeans {
 public:
  // weights: for each sum, one weight per choice.
  explicit ChoiceMeans(std::vector<std::vector<double>> weights)
      : weights_(std::move(weights)), sums_(weights_.size()) {}

  // Adds a cluster: the number of its positions, and the result of each choice, summed over them.
  void add(double positions, std::span<const double> results) {
    if (cases_++ == 0) {
      // Sums are relative to the first cluster, so that large values with small differences lose no precision.
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].origin = total(i, results) / positions;
    }
    positions_ += positions;
    squared_positions_ += positions * positions;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      Sums& sums = sums_[i];
      const double y = total(i, results) - sums.origin * positions;
      sums.value += y;
      sums.square += y * y;
      sums.product += y * positions;
    }
  }

  struct Mean {
    double value, error;
  };
  // The mean of weighted sum number i. The error is infinite with fewer than two clusters.
  Mean mean(std::size_t i) const {
    const Sums& sums = sums_[i];
    const double mean = sums.value / positions_;
    const auto n = static_cast<double>(cases_);
    const double squares = sums.square - 2 * mean * sums.product + mean * mean * squared_positions_;
    return {sums.origin + mean, cases_ > 1 ? std::sqrt(std::max(0.0, squares) * n / (n - 1)) / positions_
                                           : std::numeric_limits<double>::infinity()};
  }
  std::size_t cases() const { return cases_; }

 private:
  struct Sums {
    double origin = 0, value = 0, square = 0, product = 0;
  };
  double total(std::size_t i, std::span<const double> results) const {
    return std::inner_product(results.begin(), results.end(), weights_[i].begin(), 0.0);
  }

  std::vector<std::vector<double>> weights_;
  std::vector<Sums> sums_;
  std::size_t cases_ = 0;
  double positions_ = 0, squared_positions_ = 0;
};

// Analyses betting games by an agent with a policy: hidden hands are weighted by the probability of the
// observed actions under that policy (beliefs.h), and every plausible choice is played out from each, everybody
// by the policy, with common random numbers. Throws UsageError if the agent has no policy or observes events,
// or if the game is of another family.
std::unique_ptr<Analyser> make_playout_analyser(const GamePtr& game, const AgentFactory& agents,
                                                std::int64_t simulations);
// True if the game's family is supported.
bool has_playout_analyser(const Game& game);

}  // namespace dealer::analysis
