#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "arena/confidence.h"

namespace dealer::studies {

// A figure of a study: a mean or a difference of means, half the width of its 95% interval, and of how many cases it is
// the mean.
struct Estimate {
  double value = 0;
  double ci95 = std::numeric_limits<double>::infinity();
  double count = 0;

  // Whether both the figure and its interval are known.
  bool known() const;
  double low() const { return value - ci95; }
  double high() const { return value + ci95; }
  // Whether the interval lies on one side of `other`.
  bool above(double other) const { return known() && low() > other; }
  bool below(double other) const { return known() && high() < other; }
};

// {value, ci95, n}; null for what is not known.
nlohmann::ordered_json to_json(const Estimate& estimate);

// The mean of cases that come in independent clusters: the games of a deal share their cards, the turns of a game their
// course. A cluster's cases are added one after the other, under one number; the next cluster has another number.
// Clusters without a case do not count.
class ClusterMean {
 public:
  // `n` cases that add up to y.
  void add(std::int64_t cluster, double y, double n = 1);
  // Interval by ClusteredRatio.
  Estimate estimate() const;
  // Of values 0 to 1. Where all cases have 0, or all 1, the interval reaches as far as 95% of samples of so many
  // clusters would show a case: 1 - 0.05^(1/clusters), about 3/clusters (Hanley and Lippman-Hand, "If nothing goes
  // wrong, is everything all right?", 1983).
  Estimate share() const;

 private:
  ClusteredRatio closed() const;

  ClusteredRatio before_;
  std::int64_t cluster_ = -1;
  double y_ = 0, n_ = 0;
};

// The difference of two such means over the same clusters, which may go together: linearised as in ClusteredRatio,
// the residuals of both in one cluster taken as one.
class ClusterDifference {
 public:
  void add_first(std::int64_t cluster, double y, double n = 1);
  void add_second(std::int64_t cluster, double y, double n = 1);
  // The first less the second. `count` is that of both.
  Estimate estimate() const;

 private:
  static constexpr int kSums = 4;  // y and n of the first, y and n of the second
  struct Totals {
    std::int64_t clusters = 0;
    std::int64_t first = 0, second = 0;  // clusters with a part of either mean
    double sum[kSums] = {};
    double product[kSums][kSums] = {};  // sums over clusters
  };
  void enter(std::int64_t cluster);
  static void close(const double (&in)[kSums], Totals& totals);

  Totals before_;
  std::int64_t cluster_ = -1;
  double current_[kSums] = {};
};

// The difference of two shares: as ClusterDifference. A share that never happened, or always, has no scatter; the
// interval is then wider by that of ClusterMean::share().
class ShareDifference {
 public:
  void add_first(std::int64_t cluster, bool happened);
  void add_second(std::int64_t cluster, bool happened);
  // The first less the second.
  Estimate estimate() const;

 private:
  ClusterDifference difference_;
  ClusterMean first_, second_;
};

}  // namespace dealer::studies
