#include "agents/search/sequential_halving.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace dealer {

SequentialHalving::SequentialHalving(std::size_t choices, std::int64_t budget)
    : left_(choices), budget_(budget), rounds_(static_cast<int>(std::bit_width(choices - 1))) {
  std::iota(left_.begin(), left_.end(), std::size_t{0});
}

std::int64_t SequentialHalving::samples() const {
  return std::max<std::int64_t>(1, budget_ / (std::max(rounds_, 1) * static_cast<std::int64_t>(left_.size())));
}

void SequentialHalving::keep_better_half(std::span<const double> values) { keep_best((left_.size() + 1) / 2, values); }

void SequentialHalving::drop_below(double least, std::span<const double> values) {
  const auto kept = std::count_if(left_.begin(), left_.end(), [&](std::size_t i) { return values[i] >= least; });
  keep_best(std::max<std::size_t>(1, static_cast<std::size_t>(kept)), values);
}

void SequentialHalving::keep_best(std::size_t kept, std::span<const double> values) {
  std::sort(left_.begin(), left_.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  dropped_.insert(dropped_.end(), left_.rbegin(), left_.rend() - static_cast<std::ptrdiff_t>(kept));
  left_.resize(kept);
}

std::vector<std::size_t> SequentialHalving::ranking() const {
  std::vector<std::size_t> all(left_);
  all.insert(all.end(), dropped_.rbegin(), dropped_.rend());
  return all;
}

}  // namespace dealer
