#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "arena/confidence.h"

namespace dealer {

// A sequential probability ratio test (Wald 1945) of the mean of what an agent wins, in points a hand: h0 against h1.
// The log-likelihood ratio is that of means with the variance found so far, a deal being a cluster (the generalised
// test of Van den Bergh, "The generalized sequential probability ratio test for expectation values", 2019). Where
// points are skewed, those with another mean have another variance, and the ratio is of quasi-likelihoods (Wedderburn
// 1974) whose variance changes with the mean as in a natural exponential family of that skewness (Morris 1982): by the
// skewness times the standard deviation. Both errors are 5%.
struct SprtBounds {
  double h0 = 0;
  double h1 = 0;
};
enum class SprtDecision : std::uint8_t { kNone, kH0, kH1 };
// "none", "H0", "H1"
std::string_view name_of(SprtDecision decision);

// 0 while the variance is not known: with fewer than two clusters, or all of them equal.
double log_likelihood_ratio(const ClusteredRatio& points, const SprtBounds& bounds);
SprtDecision decide(double log_likelihood_ratio);

// When a match is over before all its deals are played. Asked with what the first kFewest deals have shown, or more.
struct StoppingRule {
  // Intervals and variances of fewer deals are not to be relied on.
  static constexpr std::int64_t kFewest = 100;

  double until = 0;                // half the width of every agent's 95% interval, in points a hand; 0: no such rule
  std::optional<SprtBounds> sprt;  // of the first agent

  bool any() const { return until > 0 || sprt.has_value(); }
};

}  // namespace dealer
