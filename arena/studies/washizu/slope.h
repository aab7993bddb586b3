#pragma once

#include <cstdint>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies::washizu {

// How much y grows with x: the slope of a line by least squares through the cases of each group, one slope and a height
// of its own for every group. Its interval is that of a ratio over independent clusters: of the sums of
// (x - mean x)(y - mean y) and of (x - mean x)², means of the group (DealMean).
class Slope {
 public:
  explicit Slope(int groups) : groups_(static_cast<std::size_t>(groups)) {}
  // Clusters come one after the other.
  void add(std::int64_t cluster, double x, double y, int group = 0);
  // `count` is that of the cases. Unknown when x is always the same.
  Estimate estimate() const;

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
