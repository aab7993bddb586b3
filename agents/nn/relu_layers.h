#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "env/core/at.h"

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

// The weights of a dense layer.
struct DenseLayer {
  int in = 0, out = 0;
  std::vector<float> weight;  // [in, out]
  std::vector<float> bias;    // [out]

  static DenseLayer zero(int in, int out) {
    return {in, out, std::vector<float>(at(in) * at(out)), std::vector<float>(at(out))};
  }
  // As the tensors PREFIXweight and PREFIXbias. Reading throws CheckpointError where they are missing, of other sizes
  // or not finite.
  static DenseLayer read(const TensorFile& file, const std::string& prefix, std::int64_t in, std::int64_t out);
  void store(const std::string& prefix, TensorFile& file) const;
  // How large an output can be in size where all inputs are at most so large, and no more than so many are not 0.
  double reach(double inputs, int most_inputs) const;
};

// Throws CheckpointError naming the file where weights are so large that inputs of at most that size could make outputs
// that are not finite.
void refuse_overflow(std::span<const DenseLayer> layers, double inputs, const std::string& file);

// Dense layers with ReLUs between them, for inputs that are mostly 0, as observations are and what has passed a ReLU:
// what is 0 in all of a few rows that are computed together is left out. Every row comes out bit for bit the same
// whatever is computed with it. One a thread: it keeps its scratch memory; copies share the weights.
class ReluLayers {
 public:
  ReluLayers() = default;
  explicit ReluLayers(std::span<const DenseLayer> layers);
  // first: [rows, in of the first layer]. out: [rows, out of the last layer], without a ReLU.
  void forward(const float* first, int rows, float* out);

 private:
  struct Layer {
    std::size_t in, out;
    std::size_t blocks;    // of kSimdWidth columns
    AlignedFloats weight;  // [in, blocks * kSimdWidth], zeros beyond `out`
    AlignedFloats bias;
  };
  template <int rows>
  void forward_group(const float* first, float* out);
  template <int rows>
  void run(const Layer& layer, const float* input, std::size_t stride, bool with_relu, float* result);

  std::shared_ptr<const std::vector<Layer>> layers_;
  std::vector<AlignedFloats> results_;  // of each layer: [kGroup, blocks * kSimdWidth]
  std::vector<std::uint64_t> active_;   // the inputs of a layer that count, a bit each
};

}  // namespace dealer
