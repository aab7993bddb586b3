#include "arena/studies/estimate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dealer::studies {

bool Estimate::known() const { return count > 0 && std::isfinite(ci95); }

nlohmann::ordered_json to_json(const Estimate& estimate) {
  nlohmann::ordered_json json = {{"value", nullptr}, {"ci95", nullptr}, {"n", estimate.count}};
  if (estimate.count > 0) json["value"] = estimate.value;
  if (estimate.known()) json["ci95"] = estimate.ci95;
  return json;
}

void ClusterMean::add(std::int64_t cluster, double y, double n) {
  if (cluster != cluster_) {
    before_ = closed();
    cluster_ = cluster;
    y_ = n_ = 0;
  }
  y_ += y;
  n_ += n;
}

ClusteredRatio ClusterMean::closed() const {
  ClusteredRatio all = before_;
  if (n_ > 0) all.add(y_, n_);
  return all;
}

Estimate ClusterMean::estimate() const {
  const ClusteredRatio all = closed();
  return {all.ratio(), all.half_width95(), all.denominator()};
}

Estimate ClusterMean::share() const {
  const ClusteredRatio all = closed();
  Estimate share = estimate();
  if (all.clusters() >= 2 && (share.value == 0 || share.value == 1))
    share.ci95 = 1 - std::pow(0.05, 1 / static_cast<double>(all.clusters()));
  return share;
}

void ClusterDifference::close(const double (&in)[kSums], Totals& totals) {
  if (in[1] == 0 && in[3] == 0) return;
  ++totals.clusters;
  totals.first += in[1] != 0 ? 1 : 0;
  totals.second += in[3] != 0 ? 1 : 0;
  for (int i = 0; i < kSums; ++i) {
    totals.sum[i] += in[i];
    for (int j = 0; j < kSums; ++j) totals.product[i][j] += in[i] * in[j];
  }
}

void ClusterDifference::enter(std::int64_t cluster) {
  if (cluster == cluster_) return;
  close(current_, before_);
  cluster_ = cluster;
  std::fill(std::begin(current_), std::end(current_), 0);
}

void ClusterDifference::add_first(std::int64_t cluster, double y, double n) {
  enter(cluster);
  current_[0] += y;
  current_[1] += n;
}

void ClusterDifference::add_second(std::int64_t cluster, double y, double n) {
  enter(cluster);
  current_[2] += y;
  current_[3] += n;
}

Estimate ClusterDifference::estimate() const {
  Totals all = before_;
  close(current_, all);
  const double n1 = all.sum[1], n2 = all.sum[3];
  if (n1 == 0 || n2 == 0) return {};
  const double first = all.sum[0] / n1, second = all.sum[2] / n2;
  Estimate difference{first - second, std::numeric_limits<double>::infinity(), n1 + n2};
  if (all.first < 2 || all.second < 2) return difference;
  // The residual of a cluster is linear in its four sums.
  const double weight[kSums] = {1 / n1, -first / n1, -1 / n2, second / n2};
  double squares = 0;
  for (int i = 0; i < kSums; ++i)
    for (int j = 0; j < kSums; ++j) squares += weight[i] * weight[j] * all.product[i][j];
  const auto count = static_cast<double>(all.clusters);
  // Rounding can leave a little less than nothing.
  difference.ci95 = student_t975(all.clusters - 1) * std::sqrt(std::max(0.0, squares) * count / (count - 1));
  return difference;
}

void ShareDifference::add_first(std::int64_t cluster, bool happened) {
  difference_.add_first(cluster, happened ? 1 : 0);
  first_.add(cluster, happened ? 1 : 0);
}

void ShareDifference::add_second(std::int64_t cluster, bool happened) {
  difference_.add_second(cluster, happened ? 1 : 0);
  second_.add(cluster, happened ? 1 : 0);
}

Estimate ShareDifference::estimate() const {
  Estimate difference = difference_.estimate();
  for (const ClusterMean* const side : {&first_, &second_})
    if (const Estimate share = side->share(); share.count > 0 && (share.value == 0 || share.value == 1))
      difference.ci95 += share.ci95;
  return difference;
}

}  // namespace dealer::studies
