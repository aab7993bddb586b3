#include "arena/studies/washizu/slope.h"

namespace dealer::studies::washizu {

void Slope::add(std::int64_t cluster, double x, double y, int group) {
  cases_.push_back({cluster, x, y, group});
  Sums& sums = groups_[static_cast<std::size_t>(group)];
  sums.n += 1;
  sums.x += x;
  sums.y += y;
}

Estimate Slope::estimate() const {
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

}  // namespace dealer::studies::washizu
