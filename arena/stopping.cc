#include "arena/stopping.h"

#include <cmath>

namespace dealer {
namespace {

// Of each of the two errors.
constexpr double kError = 0.05;

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
  const double middle = (bounds.h0 + bounds.h1) / 2;
  return static_cast<double>(points.clusters()) * (bounds.h1 - bounds.h0) * (points.ratio() - middle) / variance;
}

SprtDecision decide(double log_likelihood_ratio) {
  static const double bound = std::log((1 - kError) / kError);
  if (log_likelihood_ratio >= bound) return SprtDecision::kH1;
  return log_likelihood_ratio <= -bound ? SprtDecision::kH0 : SprtDecision::kNone;
}

}  // namespace dealer
