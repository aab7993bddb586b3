#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dealer {

// Running mean and variance of the results of one choice.
class SampleMean {
 public:
  void add(double result) {
    ++count_;
    sum_ += result;
    squares_ += result * result;
  }
  void add(const SampleMean& other) {
    count_ += other.count_;
    sum_ += other.sum_;
    squares_ += other.squares_;
  }
  std::int64_t count() const { return count_; }
  // The mean; 0 without results.
  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  // The variance of the mean; 0 with fewer than two results.
  double variance() const {
    const auto n = static_cast<double>(count_);
    return count_ < 2 ? 0 : std::max(0.0, squares_ - sum_ * sum_ / n) / (n * (n - 1));
  }
  // Standard error of the mean.
  double error() const { return std::sqrt(variance()); }

 private:
  std::int64_t count_ = 0;
  double sum_ = 0, squares_ = 0;
};

// Sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013, algorithm
// 1): in each of ceil(log2 n) rounds the remaining choices share an equal part of the budget equally, and the better
// half survives. Unlike there, one sample serves all choices and earlier rounds still count: the remaining choices have
// all been tried on the same samples.
class SequentialHalving {
 public:
  // budget: the total number of results. Precondition: at least one choice.
  SequentialHalving(std::size_t choices, std::int64_t budget);

  // The remaining choices, at first in the order of their indices, later the best first.
  std::span<const std::size_t> left() const { return left_; }
  bool done() const { return left_.size() <= 1; }
  int rounds() const { return rounds_; }
  // The number of samples in this round, each used for all remaining choices; at least one.
  std::int64_t samples() const;
  // Ends the round; values are indexed by choice. On ties the lower index survives.
  void keep_better_half(std::span<const double> values);
  // Drops choices with a value below `least` unless none would be left. On ties the lower index ranks higher.
  void drop_below(double least, std::span<const double> values);
  // All choices, the best first: those that survived longer come before the others.
  std::vector<std::size_t> ranking() const;

 private:
  void keep_best(std::size_t kept, std::span<const double> values);

  std::vector<std::size_t> left_, dropped_;  // dropped: the last to go at the end
  std::int64_t budget_;
  int rounds_;
};

}  // namespace dealer
