#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dealer {

// The ratio of two totals over independent clusters, points to hands for instance, with its 95% confidence interval by
// linearisation (Cochran, Sampling Techniques, 3rd ed., 1977, section 6.4). Sums are exact where the values are small
// integers, whatever the order.
class ClusteredRatio {
 public:
  // What means and intervals are of, to be kept in a file.
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
  // Of the ratio in one cluster of the usual size: what divided by clusters() is the variance of ratio(). Infinite with
  // fewer than two clusters.
  double variance() const;
  // The skewness of what divided by clusters() is that variance: of the ratio in one cluster. 0 where clusters do not
  // differ, and of sums that were kept in a file.
  double skewness() const;
  // Whether clusters differ by more than what rounding leaves of their sums.
  bool has_scatter() const;
  // Half the width of the interval, by Student's t; 0 when all clusters agree, infinite with fewer than two of them.
  double half_width95() const;
  // likelihood_of_superiority() of the ratio.
  double superiority() const;

  const Sums& sums() const { return sums_; }
  static ClusteredRatio of(const Sums& sums);
  // Of so many times the numerators.
  ClusteredRatio scaled(double factor) const;

 private:
  double squared_residuals() const;

  Sums sums_;
  std::array<double, 4> cubes_{};  // of yyy, yyn, ynn and nnn
};

// The 97.5% quantile of Student's t; accurate to 0.1% for one degree of freedom or more.
double student_t975(std::int64_t degrees_of_freedom);

// The probability (0 to 1) that a true mean lies above zero, of its estimate: Student's t, by the normal deviate of
// Wallace ("Bounds on normal approximations to Student's and the chi-square distributions", 1959). 0.5 of a zero
// without scatter; NaN where nothing is known: an infinite error, or another mean without scatter.
double likelihood_of_superiority(double mean, double standard_error, double degrees_of_freedom);
// About how many clusters in all it takes until the 95% interval is clear of zero, should mean and variance stay as
// they are; infinite where no number of them would do, or nothing is known.
double clusters_to_decide(const ClusteredRatio& points);

// A sequential probability ratio test (Wald 1945) of the mean of what an agent wins, in points a hand: h0 against h1.
// The log-likelihood ratio is that of means with the variance found so far, a deal being a cluster (the generalised
// test of Van den Bergh, "The generalized sequential probability ratio test for expectation values", 2019). Where
// points are skewed, those with another mean have another variance, and the ratio is of quasi-likelihoods (Wedderburn
// 1974) whose variance changes with the mean as in a natural exponential family of that skewness (Morris 1982): by the
// skewness times the standard deviation. Both errors are 5%.
struct SprtBounds {
  double h0 = 0, h1 = 0;
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
