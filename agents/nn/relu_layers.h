#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "agents/nn/simd.h"

namespace dealer {

// Dense layers with ReLUs between them, for inputs that are mostly 0, as observations are and what has passed a ReLU:
// what is 0 in all of a few rows that are computed together is left out. Every row comes out bit for bit the same
// whatever is computed with it. One a thread: it keeps its scratch memory.
class ReluLayers {
 public:
  // weight: [in, out] row by row; bias: [out]. Copies both.
  void add(const float* weight, const float* bias, int in, int out);
  // first: [rows, in of the first layer]. out: [rows, out of the last layer], without a ReLU.
  void forward(const float* first, int rows, float* out);

 private:
  struct Layer {
    std::size_t in, out;
    std::size_t blocks;    // of kSimdWidth columns
    AlignedFloats weight;  // [in, blocks * kSimdWidth], zeros beyond `out`
    AlignedFloats bias;
    AlignedFloats result;  // [kGroup, blocks * kSimdWidth]
  };
  template <int rows>
  void forward_group(const float* first, float* out);
  template <int rows>
  void run(Layer& layer, const float* input, std::size_t stride, bool with_relu);

  std::vector<Layer> layers_;
  std::vector<std::uint64_t> active_;  // the inputs of a layer that count, a bit each
};

}  // namespace dealer
