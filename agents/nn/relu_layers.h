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

// The widest float vectors of the target processor, through the compiler's vector extensions: the arithmetic does not
// depend on their width, though its order may.

namespace dealer {

#if defined(__AVX512F__)
inline constexpr std::size_t kSimdWidth = 16;
#elif defined(__AVX__)
inline constexpr std::size_t kSimdWidth = 8;
#else
inline constexpr std::size_t kSimdWidth = 4;
#endif

using SimdVector = float __attribute__((vector_size(kSimdWidth * sizeof(float))));
// The same type for unaligned memory.
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

// sum + x * w with a single rounding wherever an instruction exists: compilers left to themselves fuse it in one loop
// and not in another, and then a row's result would depend on the batch it is in.
[[gnu::always_inline]] inline SimdVector multiply_add(float x, SimdVector w, SimdVector sum) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(_mm512_set1_ps(x), w, sum);
#elif defined(__AVX__) && defined(__FMA__)
  return _mm256_fmadd_ps(_mm256_set1_ps(x), w, sum);
#else
  return sum + x * w;
#endif
}

// Memory aligned to whole vectors.
using AlignedFloats = std::vector<float, Eigen::aligned_allocator<float>>;

// The weights of a dense layer.
struct DenseLayer {
  int in = 0, out = 0;
  std::vector<float> weight;  // [in, out]
  std::vector<float> bias;    // [out]

  static DenseLayer zero(int in, int out) {
    return {in, out, std::vector<float>(at(in) * at(out)), std::vector<float>(at(out))};
  }
  // Reads or writes the tensors PREFIXweight and PREFIXbias. Reading throws CheckpointError if they are missing, of
  // other sizes or not finite.
  static DenseLayer read(const TensorFile& file, const std::string& prefix, std::int64_t in, std::int64_t out);
  void store(const std::string& prefix, TensorFile& file) const;
  // An upper bound on |output| if all |inputs| <= inputs and at most most_inputs of them are non-zero.
  double reach(double inputs, int most_inputs) const;
};

// Writes the layers as tensors PREFIX0.weight, PREFIX0.bias, PREFIX1.weight and so on, and reads as many of the same
// sizes as `like`, throwing as DenseLayer::read().
void store_layers(const std::vector<DenseLayer>& layers, const std::string& prefix, TensorFile& file);
std::vector<DenseLayer> read_layers(const TensorFile& file, const std::string& prefix,
                                    const std::vector<DenseLayer>& like);

// Throws CheckpointError naming the file if the weights are so large that inputs of at most that size could produce
// outputs that are not finite.
void refuse_overflow(std::span<const DenseLayer> layers, double inputs, const std::string& file);

// Dense layers with ReLUs between them, for sparse inputs such as observations and ReLU outputs: inputs that are 0 in
// all of a few rows computed together are skipped. The result of a row is the same bit for bit whatever batch it is in.
// One object per thread: it keeps scratch memory; copies share the weights.
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
  std::vector<std::uint64_t> active_;   // the non-zero inputs of a layer, one bit each
};

}  // namespace dealer
