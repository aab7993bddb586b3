#include "arena/stopping.h"

#include <algorithm>
#include <cmath>

namespace dealer {
namespace {

// Of each of the two errors.
constexpr double kError = 0.05;
// Of the variance found, the least that another mean is taken to have.
constexpr double kLeastVariance = 0.2;

}  // namespace

std::string_view name_of(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::kH0:
      return "H0";
    case SprtDecision::kH1:
      return "H1";
    default:
      return "none";
  }
}

double log_likelihood_ratio(const ClusteredRatio& points, const SprtBounds& bounds) {
  const double variance = points.variance();
  if (!std::isfinite(variance) || variance <= 0) return 0;
  const double mean = points.ratio(), skew = points.skewness() * std::sqrt(variance);
  // The derivative of the quasi-likelihood at a mean, by Simpson's rule over the means between the two.
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
  static const double bound = std::log((1 - kError) / kError);
  if (log_likelihood_ratio >= bound) return SprtDecision::kH1;
  return log_likelihood_ratio <= -bound ? SprtDecision::kH0 : SprtDecision::kNone;
}

}  // namespace dealer
