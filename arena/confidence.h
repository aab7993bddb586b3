#pragma once

#include <cstdint>

namespace dealer {

// The ratio of two totals over independent clusters, points to hands for instance, with its 95% confidence interval by
// linearisation (Cochran, Sampling Techniques, 3rd ed., 1977, section 6.4). Sums are exact where the values are small
// integers, whatever the order.
class ClusteredRatio {
 public:
  void add(double numerator, double denominator);
  void merge(const ClusteredRatio& other);

  std::int64_t clusters() const { return clusters_; }
  double numerator() const { return y_; }
  double denominator() const { return n_; }
  // 0 when the denominator is 0.
  double ratio() const;
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

  // What means and intervals are of, to be kept in a file.
  struct Sums {
    std::int64_t clusters = 0;
    double y = 0, n = 0, yy = 0, yn = 0, nn = 0;
    bool operator==(const Sums&) const = default;
  };
  Sums sums() const { return {clusters_, y_, n_, yy_, yn_, nn_}; }
  static ClusteredRatio of(const Sums& sums);

 private:
  double squared_residuals() const;

  std::int64_t clusters_ = 0;
  double y_ = 0, n_ = 0, yy_ = 0, yn_ = 0, nn_ = 0;
  double yyy_ = 0, yyn_ = 0, ynn_ = 0, nnn_ = 0;
};

// The 97.5% quantile of Student's t; accurate to 0.1% for one degree of freedom or more.
double student_t975(std::int64_t degrees_of_freedom);

}  // namespace dealer
