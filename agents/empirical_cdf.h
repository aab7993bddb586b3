#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dealer {

// The empirical distribution function of a sample. Immutable.
template <class T>
class EmpiricalCdf {
 public:
  EmpiricalCdf() = default;  // of an empty sample
  explicit EmpiricalCdf(std::vector<T> sample) : sorted_(std::move(sample)) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  std::size_t size() const { return sorted_.size(); }
  const std::vector<T>& sorted() const { return sorted_; }
  // Twice the number of elements below the value, plus the number of elements equal to it.
  std::size_t twice_below(const T& value) const {
    const auto [first, last] = std::equal_range(sorted_.begin(), sorted_.end(), value);
    return static_cast<std::size_t>((first - sorted_.begin()) + (last - sorted_.begin()));
  }
  // The fraction below the value, 0 to 1, ties counting half; 0.5 for an empty sample.
  template <class Number = double>
  Number below(const T& value) const {
    if (sorted_.empty()) return Number{0.5};
    return static_cast<Number>(twice_below(value)) / (2 * static_cast<Number>(sorted_.size()));
  }
  // The number of elements above the value.
  std::size_t above(const T& value) const {
    return static_cast<std::size_t>(sorted_.end() - std::upper_bound(sorted_.begin(), sorted_.end(), value));
  }

 private:
  std::vector<T> sorted_;
};

}  // namespace dealer
