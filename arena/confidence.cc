#include "arena/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dealer {

void ClusteredRatio::add(double numerator, double denominator) {
  ++clusters_;
  y_ += numerator;
  n_ += denominator;
  yy_ += numerator * numerator;
  yn_ += numerator * denominator;
  nn_ += denominator * denominator;
  yyy_ += numerator * numerator * numerator;
  yyn_ += numerator * numerator * denominator;
  ynn_ += numerator * denominator * denominator;
  nnn_ += denominator * denominator * denominator;
}

void ClusteredRatio::merge(const ClusteredRatio& other) {
  clusters_ += other.clusters_;
  y_ += other.y_;
  n_ += other.n_;
  yy_ += other.yy_;
  yn_ += other.yn_;
  nn_ += other.nn_;
  yyy_ += other.yyy_;
  yyn_ += other.yyn_;
  ynn_ += other.ynn_;
  nnn_ += other.nnn_;
}

ClusteredRatio ClusteredRatio::of(const Sums& sums) {
  ClusteredRatio ratio;
  ratio.clusters_ = sums.clusters;
  ratio.y_ = sums.y;
  ratio.n_ = sums.n;
  ratio.yy_ = sums.yy;
  ratio.yn_ = sums.yn;
  ratio.nn_ = sums.nn;
  return ratio;
}

double ClusteredRatio::ratio() const { return n_ == 0 ? 0 : y_ / n_; }

double ClusteredRatio::squared_residuals() const {
  const double r = ratio();
  // Rounding can leave a little less than nothing.
  return std::max(0.0, yy_ - 2 * r * yn_ + r * r * nn_);
}

double ClusteredRatio::variance() const {
  if (clusters_ < 2 || n_ == 0) return std::numeric_limits<double>::infinity();
  const auto count = static_cast<double>(clusters_);
  return count / (count - 1) * squared_residuals() * count / (n_ * n_);
}

double ClusteredRatio::skewness() const {
  if (!has_scatter() || clusters_ < 3) return 0;
  // Of the residuals y - r n, whose mean is 0.
  const double r = ratio(), count = static_cast<double>(clusters_);
  const double cubes = yyy_ - 3 * r * yyn_ + 3 * r * r * ynn_ - r * r * r * nnn_;
  return cubes / count / std::pow(squared_residuals() / count, 1.5);
}

bool ClusteredRatio::has_scatter() const {
  constexpr double kRounding = 1e-12;
  return squared_residuals() > kRounding * (yy_ + ratio() * ratio() * nn_);
}

double ClusteredRatio::half_width95() const {
  return student_t975(clusters_ - 1) * std::sqrt(variance() / static_cast<double>(clusters_));
}

double student_t975(std::int64_t degrees_of_freedom) {
  constexpr std::array<double, 5> kFew = {12.706, 4.303, 3.182, 2.776, 2.571};
  if (degrees_of_freedom <= 5) return kFew[static_cast<std::size_t>(std::max<std::int64_t>(degrees_of_freedom, 1) - 1)];
  // Cornish-Fisher expansion about the normal quantile (Abramowitz and Stegun, 1964, 26.7.5).
  const double z = 1.959963985;
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const double first = (z3 + z) / 4;
  const double second = (5 * z5 + 16 * z3 + 3 * z) / 96;
  const double third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  const auto v = static_cast<double>(degrees_of_freedom);
  return z + (first + (second + third / v) / v) / v;
}

}  // namespace dealer
