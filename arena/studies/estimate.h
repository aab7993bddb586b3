#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "arena/confidence.h"

namespace dealer::studies {

// What a case adds to the share of cases in which the condition holds.
constexpr double when(bool condition) { return condition ? 1 : 0; }

// A figure of a study: a mean or a difference of means, half the width of its 95% interval, and of how many cases it is
// the mean.
struct Estimate {
  double value = 0;
  double ci95 = std::numeric_limits<double>::infinity();
  double count = 0;
  // What such a figure can be: a share 0 to 1.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  // Whether both the figure and its interval are known.
  bool known() const;
  // The ends of the interval, within what can be.
  double low() const { return value - ci95 > least ? value - ci95 : least; }
  double high() const { return value + ci95 < most ? value + ci95 : most; }
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
  ClusteredRatio ratio() const;

 private:
  ClusteredRatio before_;
  std::int64_t cluster_ = -1;
  double y_ = 0, n_ = 0;
};

// With cases in fewer deals nothing is said of how far the truth may be: a handful may all be equal by chance.
inline constexpr std::int64_t kFewestDeals = 10;

// As ClusterMean, of a study, whose clusters are deals. The interval is unknown with cases in fewer than kFewestDeals
// of them, and where all deals agree: what varies has then not been seen to vary yet.
class DealMean {
 public:
  void add(std::int64_t deal, double y, double n = 1) { mean_.add(deal, y, n); }
  Estimate estimate() const;
  // Of values 0 to 1. All 0 or all 1 has an interval, as of ClusterMean.
  Estimate share() const;

 private:
  ClusterMean mean_;
};

// The difference of two such means over the same deals, which may go together: linearised as in ClusteredRatio, the
// residuals of both in one deal taken as one. Unknown as DealMean is: where either mean is, and where the residuals of
// all deals add up to nothing.
class ClusterDifference {
 public:
  void add_first(std::int64_t cluster, double y, double n = 1);
  void add_second(std::int64_t cluster, double y, double n = 1);
  // The first less the second. `count` is that of both.
  Estimate estimate() const;

 private:
  friend class ShareDifference;
  static constexpr int kSums = 4;  // y and n of the first, y and n of the second
  struct Totals {
    std::int64_t clusters = 0;
    std::int64_t first = 0, second = 0;  // clusters with a part of either mean
    double sum[kSums] = {};
    double product[kSums][kSums] = {};  // sums over clusters
  };
  // Also where a mean has no scatter of its own, which then counts for nothing.
  struct Linearised {
    Estimate difference;
    bool both_scatter = false;
  };
  Linearised linearised() const;
  void enter(std::int64_t cluster);
  static void close(const double (&in)[kSums], Totals& totals);

  Totals before_;
  std::int64_t cluster_ = -1;
  double current_[kSums] = {};
};

// The difference of two shares: as ClusterDifference. A share that never happened, or always, has no scatter; the
// interval is then wider by that of DealMean::share().
class ShareDifference {
 public:
  // `y` of n cases.
  void add_first(std::int64_t cluster, double y, double n = 1);
  void add_second(std::int64_t cluster, double y, double n = 1);
  // The first less the second.
  Estimate estimate() const;

 private:
  ClusterDifference difference_;
  DealMean first_, second_;
};

}  // namespace dealer::studies
