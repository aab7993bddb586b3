#pragma once

#include <Eigen/Core>
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
// layers with ReLUs. Inference through Eigen from the weights that training writes. Immutable while in use by several
// threads.
class SparseNet {
 public:
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Matrix<float, 1, Eigen::Dynamic>;

  struct Layer {
    Matrix weight;  // [in, out]
    Vector bias;    // [out]
  };

  SparseNet() = default;
  // hidden_sizes: of the sparse layer and the dense ones, e.g. {256, 64}. All weights zero.
  SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs);

  int width() const { return static_cast<int>(sparse_.bias.size()); }
  std::vector<int> hidden_sizes() const;
  Layer& sparse() { return sparse_; }
  const Layer& sparse() const { return sparse_; }
  std::vector<Layer>& dense() { return dense_; }
  const std::vector<Layer>& dense() const { return dense_; }
  // Multiply-adds of the dense layers for one position.
  double dense_work() const;

  // The weights of every feature added up: sum[0..width) = base + weights, base null for 0. All in vectors of a row.
  void sum(std::span<const Feature> active, const float* base, float* sum) const;
  // Everything behind the sparse layer and its ReLU, raw outputs a row.
  ReluLayers layers() const;
  // The raw outputs for one position, for hints and tests.
  Vector forward(std::span<const Feature> active) const;

 private:
  Layer sparse_;
  std::vector<Layer> dense_;  // the last one has the outputs as columns
};

// Tensors: sparse.weight [features, width], sparse.bias [width], dense.N.weight [in, out], dense.N.bias [out].
void store(const SparseNet& net, TensorFile& file);
// Throws CheckpointError naming the file when it holds no such network or numbers that are not finite.
SparseNet load_sparse_net(const TensorFile& file, int features, int outputs);

}  // namespace dealer
