#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/relu_layers.h"
#include "agents/nn/safetensors.h"

namespace dealer {

// The index of a binary input of a network.
using Feature = std::uint16_t;

// The active (non-zero) features of one position.
template <int most>
struct ActiveFeatures {
  std::array<Feature, most> feature;
  int count = 0;
  void add(int f) { feature[static_cast<std::size_t>(count++)] = static_cast<Feature>(f); }
  std::span<const Feature> active() const { return {feature.data(), static_cast<std::size_t>(count)}; }
};

// Selects the dense layers for a position where kinds of positions have separate ones (the "layer stacks" of
// Stockfish's networks): stack s if feature first + s is 1, stack 0 if none of the `count` features is.
struct Stacks {
  int first = 0;
  int count = 1;
  std::size_t of(std::span<const Feature> active) const;
};
// The name prefix of a dense layer's tensors.
std::string dense_name(const Stacks& stacks, std::size_t stack, std::size_t layer);

// A network of sparse binary features: one sparse layer, which sums the weights of the active features, and dense
// layers with ReLUs, in one stack or several. Immutable while shared by several threads.
class SparseNet {
 public:
  SparseNet() = default;
  // hidden_sizes: of the sparse layer and the dense ones, e.g. {256, 64}. All weights are zero.
  SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs, const Stacks& stacks = {});
  // Tensors: sparse.weight [features, width], sparse.bias [width], dense.N.weight [in, out], dense.N.bias [out]; with
  // several stacks stack.S.dense.N.weight and so on, and the metadata "stacks_from", the feature that selects stack 0.
  // Reading throws CheckpointError naming the file if it holds no such network or numbers that are not finite. It may
  // have one stack or those in `possible`.
  static SparseNet read(const TensorFile& file, int features, int outputs, const Stacks& possible = {});
  void store(TensorFile& file) const;

  int width() const { return sparse_.out; }
  std::vector<int> hidden_sizes() const;
  DenseLayer& sparse() { return sparse_; }
  const DenseLayer& sparse() const { return sparse_; }
  const Stacks& stacks() const { return stacks_; }
  std::vector<DenseLayer>& dense(std::size_t stack = 0) { return dense_[stack]; }
  const std::vector<DenseLayer>& dense(std::size_t stack = 0) const { return dense_[stack]; }
  // Multiply-adds of the dense layers for one position.
  double dense_work() const;

  // Sums the weights of the active features: sum[0..width) = base + weights, base null for 0. All are aligned rows.
  void sum(std::span<const Feature> active, const float* base, float* sum) const;
  // Everything after the sparse layer and its ReLU; the output is raw, one row per position.
  ReluLayers layers(std::size_t stack = 0) const { return ReluLayers(dense_[stack]); }
  // The layers of each stack.
  std::vector<ReluLayers> all_layers() const;
  // The raw outputs for one position, by the layers() of its stack: for hints and tests.
  void forward(std::span<const Feature> active, ReluLayers& layers, float* out) const;

 private:
  DenseLayer sparse_;
  Stacks stacks_;
  std::vector<std::vector<DenseLayer>> dense_;  // by stack; the last layer has the outputs as columns
};

}  // namespace dealer
