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

// Means of weighted sums of what several choices came to on the same positions, with their standard errors. Positions
// of one hidden hand are one case. Takes no room for cases: sums alone are kept.
class ChoiceMeans {
 public:
  // One weight a choice, of each sum that is asked for.
  explicit ChoiceMeans(std::vector<std::vector<double>> weights)
      : weights_(std::move(weights)), sums_(weights_.size()) {}

  // A case: so many positions, and what each choice came to, added up over them.
  void add(double positions, std::span<const double> results) {
    if (cases_++ == 0) {
      // Sums count from the first case on, so that large values which hardly differ lose no digits.
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
  // Of the sum with that number. The error is infinite with fewer than two cases.
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

// By an agent that tells its policy, in betting games: hidden hands as likely as that policy makes what has happened
// (beliefs.h), every choice worth a look played on from each, everybody by the policy, with the same
// cards and random numbers. Throws UsageError when the agent tells no policy or hears events, or the game is of another
// family.
std::unique_ptr<Analyser> make_playout_analyser(const GamePtr& game, const AgentFactory& agents,
                                                std::int64_t simulations);
// Whether the game is of a family that can be judged so.
bool has_playout_analyser(const Game& game);

}  // namespace dealer::analysis
