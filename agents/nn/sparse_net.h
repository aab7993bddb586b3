#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/nn/relu_layers.h"
#include "agents/nn/safetensors.h"

namespace dealer {

// A binary input of a network: its number.
using Feature = std::uint16_t;

// The features of one position that are 1.
template <int most>
struct ActiveFeatures {
  std::array<Feature, most> feature;
  int count = 0;
  void add(int f) { feature[static_cast<std::size_t>(count++)] = static_cast<Feature>(f); }
  std::span<const Feature> active() const { return {feature.data(), static_cast<std::size_t>(count)}; }
};

// A network of binary features, few of which are 1: one sparse layer, which adds up the weights of those, and dense
// layers with ReLUs. Immutable while in use by several threads.
class SparseNet {
 public:
  SparseNet() = default;
  // hidden_sizes: of the sparse layer and the dense ones, e.g. {256, 64}. All weights zero.
  SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs);
  // Tensors: sparse.weight [features, width], sparse.bias [width], dense.N.weight [in, out], dense.N.bias [out].
  // Reading throws CheckpointError naming the file when it holds no such network or numbers that are not finite.
  static SparseNet read(const TensorFile& file, int features, int outputs);
  void store(TensorFile& file) const;

  int width() const { return sparse_.out; }
  std::vector<int> hidden_sizes() const;
  DenseLayer& sparse() { return sparse_; }
  const DenseLayer& sparse() const { return sparse_; }
  std::vector<DenseLayer>& dense() { return dense_; }
  const std::vector<DenseLayer>& dense() const { return dense_; }
  // Multiply-adds of the dense layers for one position.
  double dense_work() const;

  // The weights of every feature added up: sum[0..width) = base + weights, base null for 0. All in vectors of a row.
  void sum(std::span<const Feature> active, const float* base, float* sum) const;
  // Everything behind the sparse layer and its ReLU, raw outputs a row.
  ReluLayers layers() const { return ReluLayers(dense_); }
  // The raw outputs for one position, by layers(): for hints and tests.
  void forward(std::span<const Feature> active, ReluLayers& layers, float* out) const;

 private:
  DenseLayer sparse_;
  std::vector<DenseLayer> dense_;  // the last one has the outputs as columns
};

}  // namespace dealer
