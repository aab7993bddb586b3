#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dealer {

// The ratio of two totals over independent clusters, for instance points to hands,
// with its 95% confidence interval by linearisation (Cochran, Sampling Techniques,
// 3rd ed., 1977, section 6.4). Sums of small integers are exact in any order.
class ClusteredRatio {
 public:
  // The sums that means and intervals derive from, for storage in a file.
  struct Sums {
    std::int64_t clusters = 0;
    double y = 0, n = 0, yy = 0, yn = 0, nn = 0;
    bool operator==(const Sums&) const = default;
  };

  void add(double numerator, double denominator);
  void merge(const ClusteredRatio& other);

  std::int64_t clusters() const { return sums_.clusters; }
  double numerator() const { return sums_.y; }
  double denominator() const { return sums_.n; }
  // 0 when the denominator is 0.
  double ratio() const { return sums_.n == 0 ? 0 : sums_.y / sums_.n; }
  // The number of clusters below which equal results other than 0 say nothing about the variance.
  static constexpr std::int64_t kFewestAlike = 100;
  // The variance of the ratio for a single average cluster: divided by clusters() it is the variance of ratio().
  // Infinite with fewer than two clusters, or with fewer than kFewestAlike that agree on a ratio other than 0.
  double variance() const;
  // The skewness that belongs to variance(): of the ratio in one cluster.
  // 0 if clusters do not differ, or for sums restored from a file.
  double skewness() const;
  // True if clusters differ by more than the rounding errors of the sums.
  bool has_scatter() const;
  // Half the width of the interval, by Student's t; infinite where variance() is.
  double half_width95() const;
  // likelihood_of_superiority() of the ratio.
  double superiority() const;

  const Sums& sums() const { return sums_; }
  static ClusteredRatio of(const Sums& sums);
  // The same with the numerators multiplied by a factor.
  ClusteredRatio scaled(double factor) const;

 private:
  double squared_residuals() const;

  Sums sums_;
  std::array<double, 4> cubes_{};  // of yyy, yyn, ynn and nnn
};

// The probability (0 to 1) that a true mean lies above zero, given its estimate: Student's t, by the normal deviate of
// Wallace ("Bounds on normal approximations to Student's and the chi-square distributions", 1959). 0.5 for a zero mean
// without scatter; NaN if unknown: an infinite error, or another mean without scatter.
double likelihood_of_superiority(double mean, double standard_error, double degrees_of_freedom);
// The approximate total number of clusters until the 95% interval excludes zero, if mean and variance stay the same;
// infinite if no number would be enough, or nothing is known.
double clusters_to_decide(const ClusteredRatio& points);

// A sequential probability ratio test (Wald 1945) of an agent's mean winnings in points per hand: h0 against h1. The
// log-likelihood ratio is that of means with the estimated variance, clustered by deal (the generalised test of Van
// den Bergh, "The generalized sequential probability ratio test for expectation values", 2019). If points are skewed,
// the variance depends on the mean, and the ratio is of quasi-likelihoods (Wedderburn 1974) whose variance changes
// with the mean as in a natural exponential family of that skewness (Morris 1982): by the skewness times the standard
// deviation. Both error rates are 5%.
struct SprtBounds {
  double h0 = 0, h1 = 0;
};
enum class SprtDecision : std::uint8_t { kNone, kH0, kH1 };
// "none", "H0", "H1"
std::string_view name_of(SprtDecision decision);

// The size of the log-likelihood ratio if the variance is 0, so that the mean is certain.
inline constexpr double kCertain = 1e6;
// 0 while the variance is unknown; kCertain, with the sign of the hypothesis that is nearer, if it is 0.
double log_likelihood_ratio(const ClusteredRatio& points, const SprtBounds& bounds);
SprtDecision decide(double log_likelihood_ratio);

// The conditions for ending a match before all its deals are played. Checked once kFewest deals have been played.
struct StoppingRule {
  // The minimum number of deals: intervals and variances of fewer are unreliable.
  static constexpr std::int64_t kFewest = 100;

  double until = 0;                // half the width of every agent's 95% interval, in points a hand; 0: no such rule
  std::optional<SprtBounds> sprt;  // of the first agent

  bool any() const { return until > 0 || sprt.has_value(); }
};

}  // namespace dealer
