#pragma once

#include <cmath>
#include <map>

namespace dealer::test {

// A chi-square statistic as standard deviations from its mean (Wilson and Hilferty, 1931).
inline double deviations(double chi_square, double freedom) {
  if (freedom == 0) return 0;
  const double variance = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - variance)) / std::sqrt(variance);
}

// Counts of so many draws against probabilities; what is rare is taken together. Infinite when something was drawn that
// has no probability.
template <class Key>
double deviations(const std::map<Key, double>& exact, const std::map<Key, int>& counts, int draws) {
  constexpr double kFew = 8;
  double chi_square = 0, rare = 0, rare_count = 0;
  int cells = 0, found = 0;
  const auto add = [&](double mean, double count) {
    chi_square += (count - mean) * (count - mean) / mean;
    ++cells;
  };
  for (const auto& [key, probability] : exact) {
    const auto entry = counts.find(key);
    const int count = entry == counts.end() ? 0 : entry->second;
    const double mean = probability * draws;
    found += count;
    if (mean >= kFew) {
      add(mean, count);
    } else {
      rare += mean;
      rare_count += count;
    }
  }
  if (found != draws) return INFINITY;
  if (rare >= kFew) add(rare, rare_count);
  return deviations(chi_square, cells > 1 ? cells - 1 : 0);
}

}  // namespace dealer::test
