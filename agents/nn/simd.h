#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <Eigen/Core>
#include <cstddef>
#include <vector>

// The widest vectors of floats of the processor compiled for, through the compiler's own vector types: what the
// arithmetic is does not depend on how wide they are, how it is ordered may.
namespace dealer {

#if defined(__AVX512F__)
inline constexpr std::size_t kSimdWidth = 16;
#elif defined(__AVX__)
inline constexpr std::size_t kSimdWidth = 8;
#else
inline constexpr std::size_t kSimdWidth = 4;
#endif

using SimdVector = float __attribute__((vector_size(kSimdWidth * sizeof(float))));
// The same where they lie in memory, at any address.
using SimdVectorInMemory =
    float __attribute__((vector_size(kSimdWidth * sizeof(float)), aligned(alignof(float)), may_alias));

[[gnu::always_inline]] inline SimdVector load_vector(const float* from) {
  return *reinterpret_cast<const SimdVectorInMemory*>(from);
}
[[gnu::always_inline]] inline void store_vector(float* to, SimdVector lanes) {
  *reinterpret_cast<SimdVectorInMemory*>(to) = lanes;
}
[[gnu::always_inline]] inline SimdVector relu(SimdVector lanes) {
  const SimdVector zero{};
  return lanes > zero ? lanes : zero;
}

// sum + x * w in one rounding wherever there is an instruction for it: left to themselves compilers take it in one loop
// and not in another, and a row would not be the same in any company.
[[gnu::always_inline]] inline SimdVector multiply_add(float x, SimdVector w, SimdVector sum) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(_mm512_set1_ps(x), w, sum);
#elif defined(__AVX__) && defined(__FMA__)
  return _mm256_fmadd_ps(_mm256_set1_ps(x), w, sum);
#else
  return sum + x * w;
#endif
}

// Memory that begins where whole vectors do.
using AlignedFloats = std::vector<float, Eigen::aligned_allocator<float>>;

}  // namespace dealer
