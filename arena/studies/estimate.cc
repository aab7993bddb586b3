#include "arena/studies/estimate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "env/core/student_t.h"

namespace dealer::studies {
namespace {

// An interval that covers all possible values is limited to them.
Estimate within(Estimate estimate, double least, double most) {
  estimate.least = least;
  estimate.most = most;
  if (estimate.known())
    estimate.ci95 = std::min(estimate.ci95, std::max(most - estimate.value, estimate.value - least));
  return estimate;
}

Estimate without_interval(Estimate estimate) {
  estimate.ci95 = std::numeric_limits<double>::infinity();
  return estimate;
}

}  // namespace

bool Estimate::known() const { return count > 0 && std::isfinite(ci95); }

nlohmann::ordered_json to_json(const Estimate& estimate) {
  nlohmann::ordered_json json = {{"value", nullptr}, {"ci95", nullptr}, {"n", estimate.count}};
  if (estimate.count > 0) json["value"] = estimate.value;
  if (estimate.known()) json["ci95"] = estimate.ci95;
  return json;
}

void ClusterMean::add(std::int64_t cluster, double y, double n) {
  if (cluster != cluster_) {
    before_ = ratio();
    cluster_ = cluster;
    y_ = n_ = 0;
  }
  y_ += y;
  n_ += n;
}

ClusteredRatio ClusterMean::ratio() const {
  ClusteredRatio all = before_;
  if (n_ > 0) all.add(y_, n_);
  return all;
}

Estimate ClusterMean::estimate() const {
  const ClusteredRatio all = ratio();
  return {all.ratio(), all.half_width95(), all.denominator()};
}

Estimate ClusterMean::share() const {
  const ClusteredRatio all = ratio();
  Estimate share = estimate();
  if (all.clusters() >= 2 && (share.value == 0 || share.value == 1))
    share.ci95 = 1 - std::pow(0.05, 1 / static_cast<double>(all.clusters()));
  return within(share, 0, 1);
}

Estimate DealMean::estimate() const {
  const ClusteredRatio all = mean_.ratio();
  const Estimate estimate = mean_.estimate();
  return all.clusters() >= kFewestDeals && all.has_scatter() ? estimate : without_interval(estimate);
}

Estimate DealMean::share() const {
  const ClusteredRatio all = mean_.ratio();
  const Estimate share = mean_.share();
  const bool is_end = share.value == 0 || share.value == 1;
  return all.clusters() >= kFewestDeals && (is_end || all.has_scatter()) ? share : without_interval(share);
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

void ClusterDifference::add(std::int64_t cluster, bool first, double y, double n) {
  if (cluster != cluster_) {
    close(current_, before_);
    cluster_ = cluster;
    std::fill(std::begin(current_), std::end(current_), 0);
  }
  double* const sums = first ? current_ : current_ + 2;
  sums[0] += y;
  sums[1] += n;
}

Estimate ClusterDifference::estimate() const {
  const Linearised all = linearised();
  return all.both_scatter && all.difference.ci95 > 0 ? all.difference : without_interval(all.difference);
}

ClusterDifference::Linearised ClusterDifference::linearised() const {
  Totals all = before_;
  close(current_, all);
  const double n1 = all.sum[1], n2 = all.sum[3];
  if (n1 == 0 || n2 == 0) return {};
  const double first = all.sum[0] / n1, second = all.sum[2] / n2;
  Linearised result;
  result.difference = {first - second, std::numeric_limits<double>::infinity(), n1 + n2};
  if (all.first < kFewestDeals || all.second < kFewestDeals) return result;
  // The residual of a cluster is linear in its four sums.
  const double weight[kSums] = {1 / n1, -first / n1, -1 / n2, second / n2};
  const auto squares = [&](int from, int to) {
    double sum = 0;
    for (int i = from; i < to; ++i)
      for (int j = from; j < to; ++j) sum += weight[i] * weight[j] * all.product[i][j];
    return sum;
  };
  // Rounding errors of cancelling sums are not scatter.
  constexpr double kRounding = 1e-12;
  const auto size = [&](int i) { return weight[i] * weight[i] * all.product[i][i]; };
  const double rounding = kRounding * (size(0) + size(1) + size(2) + size(3));
  result.both_scatter =
      squares(0, 2) > kRounding * (size(0) + size(1)) && squares(2, 4) > kRounding * (size(2) + size(3));
  const auto count = static_cast<double>(all.clusters);
  const double both = squares(0, kSums);
  result.difference.ci95 = both > rounding ? student_t975(all.clusters - 1) * std::sqrt(both * count / (count - 1)) : 0;
  return result;
}

void ShareDifference::add(std::int64_t cluster, bool first, double y, double n) {
  difference_.add(cluster, first, y, n);
  (first ? first_ : second_).add(cluster, y, n);
}

Estimate ShareDifference::estimate() const {
  Estimate difference = difference_.linearised().difference;
  for (const DealMean* const side : {&first_, &second_}) {
    const Estimate share = side->share();
    if (share.count > 0 && (share.value == 0 || share.value == 1 || !share.known())) difference.ci95 += share.ci95;
  }
  if (difference.ci95 == 0) return without_interval(difference);
  return within(difference, -1, 1);
}

}  // namespace dealer::studies
