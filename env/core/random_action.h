#pragma once

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include <bit>
#include <cstdint>

#include "env/core/decision.h"

namespace dealer {

// One of the set bits, uniform up to 16 random bits, for loops in which the choice must not cost more than the game.
// `random` is the state of a linear congruential generator (Knuth's MMIX). Precondition: a bit is set.
inline Action random_action(LegalMask mask, std::uint64_t& random) {
  random = random * 0x5851f42d4c957f2dULL + 0x14057b7ef767814fULL;
  const auto count = static_cast<std::uint64_t>(std::popcount(mask));
  std::uint64_t skip = ((random >> 48) * count) >> 16;
#ifdef __BMI2__
  return std::countr_zero(_pdep_u64(std::uint64_t{1} << skip, mask));
#else
  for (; skip > 0; --skip) mask &= mask - 1;
  return std::countr_zero(mask);
#endif
}

}  // namespace dealer
