#include "env/core/student_t.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dealer {

double student_t975(std::int64_t degrees_of_freedom) {
  constexpr std::array<double, 5> kFew = {12.706, 4.303, 3.182, 2.776, 2.571};
  if (degrees_of_freedom <= 5) return kFew[static_cast<std::size_t>(std::max<std::int64_t>(degrees_of_freedom, 1) - 1)];
  // Cornish-Fisher expansion about the normal quantile (Abramowitz and Stegun, 1964, 26.7.5).
  const double z = kNormal975, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const double first = (z3 + z) / 4;
  const double second = (5 * z5 + 16 * z3 + 3 * z) / 96;
  const double third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  const auto v = static_cast<double>(degrees_of_freedom);
  return z + (first + (second + third / v) / v) / v;
}

}  // namespace dealer
