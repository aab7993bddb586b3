#pragma once

#include <cstdint>

namespace dealer {

// The 97.5% quantile of the standard normal distribution: half the width of a 95% interval, in standard errors.
inline constexpr double kNormal975 = 1.959963985;

// The 97.5% quantile of Student's t; accurate to 0.1% for one degree of freedom or more.
double student_t975(std::int64_t degrees_of_freedom);

}  // namespace dealer
