#include "arena/confidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "env/core/student_t.h"

namespace dealer {

void ClusteredRatio::add(double y, double n) {
  ClusteredRatio one = of({1, y, n, y * y, y * n, n * n});
  one.cubes_ = {y * y * y, y * y * n, y * n * n, n * n * n};
  merge(one);
}

void ClusteredRatio::merge(const ClusteredRatio& other) {
  sums_.clusters += other.sums_.clusters;
  for (const auto sum : {&Sums::y, &Sums::n, &Sums::yy, &Sums::yn, &Sums::nn}) sums_.*sum += other.sums_.*sum;
  for (std::size_t i = 0; i < cubes_.size(); ++i) cubes_[i] += other.cubes_[i];
}

ClusteredRatio ClusteredRatio::of(const Sums& sums) {
  ClusteredRatio ratio;
  ratio.sums_ = sums;
  return ratio;
}

ClusteredRatio ClusteredRatio::scaled(double factor) const {
  ClusteredRatio ratio =
      of({sums_.clusters, factor * sums_.y, sums_.n, factor * factor * sums_.yy, factor * sums_.yn, sums_.nn});
  for (std::size_t i = 0; i < cubes_.size(); ++i) ratio.cubes_[i] = cubes_[i] * std::pow(factor, cubes_.size() - 1 - i);
  return ratio;
}

double ClusteredRatio::squared_residuals() const {
  const double r = ratio();
  // Rounding may make it slightly negative.
  return std::max(0.0, sums_.yy - 2 * r * sums_.yn + r * r * sums_.nn);
}

double ClusteredRatio::variance() const {
  const bool alike = sums_.clusters < kFewestAlike && sums_.y != 0 && !has_scatter();
  if (sums_.clusters < 2 || sums_.n == 0 || alike) return std::numeric_limits<double>::infinity();
  const auto count = static_cast<double>(sums_.clusters);
  return count / (count - 1) * squared_residuals() * count / (sums_.n * sums_.n);
}

double ClusteredRatio::skewness() const {
  if (!has_scatter() || sums_.clusters < 3) return 0;
  // The third moment of the residuals y - r n, whose mean is 0.
  const double r = ratio(), count = static_cast<double>(sums_.clusters);
  const auto& [yyy, yyn, ynn, nnn] = cubes_;
  const double cubes = yyy - 3 * r * yyn + 3 * r * r * ynn - r * r * r * nnn;
  return cubes / count / std::pow(squared_residuals() / count, 1.5);
}

bool ClusteredRatio::has_scatter() const {
  constexpr double kRounding = 1e-12;
  return squared_residuals() > kRounding * (sums_.yy + ratio() * ratio() * sums_.nn);
}

double ClusteredRatio::half_width95() const {
  return student_t975(sums_.clusters - 1) * std::sqrt(variance() / static_cast<double>(sums_.clusters));
}

double ClusteredRatio::superiority() const {
  const double error = has_scatter() ? std::sqrt(variance() / static_cast<double>(sums_.clusters)) : 0;
  return likelihood_of_superiority(ratio(), sums_.clusters < 2 ? HUGE_VAL : error,
                                   static_cast<double>(sums_.clusters - 1));
}

double likelihood_of_superiority(double mean, double error, double degrees_of_freedom) {
  if (mean == 0 && error == 0) return 0.5;
  if (!(error > 0) || !std::isfinite(error)) return std::numeric_limits<double>::quiet_NaN();
  const double t = mean / error, v = std::max(degrees_of_freedom, 1.0);
  const double z = (8 * v + 1) / (8 * v + 3) * std::sqrt(v * std::log1p(t * t / v));
  return std::erfc((t > 0 ? -z : z) / std::sqrt(2.0)) / 2;
}

double clusters_to_decide(const ClusteredRatio& points) {
  const double mean = points.ratio();
  if (mean == 0 || !points.has_scatter()) return HUGE_VAL;
  const double deviations = student_t975(points.clusters() - 1) / mean;
  return points.variance() * deviations * deviations;
}

std::string_view name_of(SprtDecision decision) {
  return decision == SprtDecision::kH0 ? "H0" : decision == SprtDecision::kH1 ? "H1" : "none";
}

double log_likelihood_ratio(const ClusteredRatio& points, const SprtBounds& bounds) {
  constexpr double kLeastVariance = 0.2;  // lower limit on the variance at another mean, relative to the estimate
  const double variance = points.variance();
  if (!std::isfinite(variance)) return 0;
  if (!points.has_scatter()) {
    const double nearer = points.ratio() - (bounds.h0 + bounds.h1) / 2;
    return points.clusters() < ClusteredRatio::kFewestAlike || nearer == 0 ? 0 : std::copysign(kCertain, nearer);
  }
  const double mean = points.ratio(), skew = points.skewness() * std::sqrt(variance);
  // The derivative of the quasi-likelihood at a mean, integrated by Simpson's rule between the two means.
  const auto slope = [&](double at) {
    return (mean - at) / std::max(variance + skew * (at - mean), kLeastVariance * variance);
  };
  constexpr int kParts = 32;
  const double step = (bounds.h1 - bounds.h0) / kParts;
  double sum = 0;
  for (int i = 0; i <= kParts; ++i)
    sum += (i == 0 || i == kParts ? 1 : i % 2 == 1 ? 4 : 2) * slope(bounds.h0 + step * i);
  return static_cast<double>(points.clusters()) * sum * step / 3;
}

SprtDecision decide(double log_likelihood_ratio) {
  constexpr double kError = 0.05;  // each of the two
  static const double kBound = std::log((1 - kError) / kError);
  if (log_likelihood_ratio >= kBound) return SprtDecision::kH1;
  return log_likelihood_ratio <= -kBound ? SprtDecision::kH0 : SprtDecision::kNone;
}

}  // namespace dealer
