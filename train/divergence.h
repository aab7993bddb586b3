#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "env/core/error.h"

namespace dealer {

// A training value is not finite: the learner has diverged, and no later update repairs its weights.
class DivergenceError : public Error {
 public:
  using Error::Error;
};

// Throws DivergenceError, naming the value and the update (counted from 1), unless the value is finite.
void expect_finite(std::string_view figure, double value, std::int64_t update);

// "nan", whatever its sign, "inf" or "-inf".
std::string not_finite_text(double value);

}  // namespace dealer
