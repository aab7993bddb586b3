#pragma once

#include <cstdint>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies::washizu {

// The regression slope of y on x: least squares through the cases of each group, with one common slope and a separate
// intercept for every group. Its interval is that of a ratio over independent clusters: of the sums of (x - mean x)(y -
// mean y) and of (x - mean x)², with the group's means (DealMean).
class Slope {
 public:
  explicit Slope(int groups) : groups_(static_cast<std::size_t>(groups)) {}
  // Clusters must be added in order.
  void add(std::int64_t cluster, double x, double y, int group = 0) {
    cases_.push_back({cluster, x, y, group});
    Sums& sums = groups_[static_cast<std::size_t>(group)];
    sums.n += 1;
    sums.x += x;
    sums.y += y;
  }
  // `count` is the number of cases. Unknown if x is constant.
  Estimate estimate() const {
    DealMean ratio;
    for (const Case& one : cases_) {
      const Sums& sums = groups_[static_cast<std::size_t>(one.group)];
      const double x = one.x - sums.x / sums.n, y = one.y - sums.y / sums.n;
      ratio.add(one.cluster, x * y, x * x);
    }
    Estimate slope = ratio.estimate();
    if (!(slope.count > 0)) return {};
    slope.count = static_cast<double>(cases_.size());
    return slope;
  }

 private:
  struct Case {
    std::int64_t cluster;
    double x, y;
    int group;
  };
  struct Sums {
    double n = 0, x = 0, y = 0;
  };
  std::vector<Case> cases_;
  std::vector<Sums> groups_;
};

}  // namespace dealer::studies::washizu
