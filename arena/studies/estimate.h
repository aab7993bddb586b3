#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "arena/confidence.h"

namespace dealer::studies {

// The contribution of a case to the share of cases in which the condition holds.
constexpr double when(bool condition) { return condition ? 1 : 0; }

// A figure of a study: a mean or a difference of means, half the width of its 95%
// interval, and the number of cases.
struct Estimate {
  double value = 0;
  double ci95 = std::numeric_limits<double>::infinity();
  double count = 0;
  // The range of possible values, such as 0 to 1 for a share.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  // True if both the figure and its interval are known.
  bool known() const;
  // The ends of the interval, limited to possible values.
  double low() const { return value - ci95 > least ? value - ci95 : least; }
  double high() const { return value + ci95 < most ? value + ci95 : most; }
  // True if the interval lies on one side of `other`.
  bool above(double other) const { return known() && low() > other; }
  bool below(double other) const { return known() && high() < other; }
};

// {value, ci95, n}; null for unknown numbers.
nlohmann::ordered_json to_json(const Estimate& estimate);

// The mean of cases in independent clusters: the games of a deal share their cards, the turns of a game their betting
// history. A cluster's cases are added consecutively, under one number; the next cluster has another number. Clusters
// without a case do not count.
class ClusterMean {
 public:
  // Adds `n` cases with the sum y.
  void add(std::int64_t cluster, double y, double n = 1);
  // The mean with its interval by ClusteredRatio.
  Estimate estimate() const;
  // The same for values 0 to 1. If all cases are 0, or all 1, the interval extends to the share that would show a case
  // in 95% of samples of that many clusters: 1 - 0.05^(1/clusters), about 3/clusters (Hanley and Lippman-Hand, "If
  // nothing goes wrong, is everything all right?", 1983).
  Estimate share() const;
  ClusteredRatio ratio() const;

 private:
  ClusteredRatio before_;
  std::int64_t cluster_ = -1;
  double y_ = 0, n_ = 0;
};

// With cases in fewer deals no interval is given: a few may all be equal by chance.
inline constexpr std::int64_t kFewestDeals = 10;

// A ClusterMean for studies, clustered by deal. The interval is unknown with cases in fewer than kFewestDeals deals,
// and if all deals agree: the variance is then not yet observed.
class DealMean {
 public:
  void add(std::int64_t deal, double y, double n = 1) { mean_.add(deal, y, n); }
  Estimate estimate() const;
  // The same for values 0 to 1. All 0 or all 1 has an interval, as in ClusterMean.
  Estimate share() const;

 private:
  ClusterMean mean_;
};

// The difference of two such means over the same deals, possibly correlated: linearised as in ClusteredRatio,
// with the residuals of both in a deal combined. Unknown as in DealMean: if either mean is, and if the
// residuals of all deals sum to zero.
class ClusterDifference {
 public:
  // Adds n cases with the sum y to the first mean or to the second.
  void add(std::int64_t cluster, bool first, double y, double n = 1);
  // The first less the second. `count` is the total of both.
  Estimate estimate() const;

 private:
  friend class ShareDifference;
  static constexpr int kSums = 4;  // y and n of the first, y and n of the second
  struct Totals {
    std::int64_t clusters = 0;
    std::int64_t first = 0, second = 0;  // number of clusters in either mean
    double sum[kSums] = {};
    double product[kSums][kSums] = {};  // sums over clusters
  };
  // Also computed if one mean has no scatter, which then contributes none.
  struct Linearised {
    Estimate difference;
    bool both_scatter = false;
  };
  Linearised linearised() const;
  static void close(const double (&in)[kSums], Totals& totals);

  Totals before_;
  std::int64_t cluster_ = -1;
  double current_[kSums] = {};
};

// The difference of two shares: as ClusterDifference. A share that is always 0 or always 1 has no scatter; the interval
// is then widened by that of DealMean::share().
class ShareDifference {
 public:
  void add(std::int64_t cluster, bool first, double y, double n = 1);
  // The first less the second.
  Estimate estimate() const;

 private:
  ClusterDifference difference_;
  DealMean first_, second_;
};

}  // namespace dealer::studies
