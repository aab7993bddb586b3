#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/relu_layers.h"
#include "agents/ofc/features.h"

namespace dealer::ofc {

// What the network says of an afterstate against one opponent, from the mover's side.
struct Prediction {
  float stake;        // own royalties, ticket to Fantasyland and row points: what the mover plays for
  float other;        // the other's royalties and ticket; stake - other are the expected points
  float foul;         // probability of fouling
  float fantasyland;  // probability of entering Fantasyland
};
inline constexpr int kOutputs = 4;
// The outputs stake and other count in units of this many points, so that targets are of the order of one.
inline constexpr float kValueScale = 10.0F;

// The value network for play: one sparse layer, dense layers with ReLUs, four outputs. Inference through Eigen
// from the weights that training writes. Immutable while in use by several threads.
class ValueNet {
 public:
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Matrix<float, 1, Eigen::Dynamic>;

  struct Layer {
    Matrix weight;  // [in, out]
    Vector bias;    // [out]
  };

  ValueNet() = default;
  // hidden_sizes: of the sparse layer and the dense ones, e.g. {256, 64}. All weights zero.
  explicit ValueNet(const std::vector<int>& hidden_sizes);

  int width() const { return static_cast<int>(sparse_.bias.size()); }
  std::vector<int> hidden_sizes() const;
  Layer& sparse() { return sparse_; }
  const Layer& sparse() const { return sparse_; }
  std::vector<Layer>& dense() { return dense_; }
  const std::vector<Layer>& dense() const { return dense_; }

  // The weights of every feature added up: sum[0..width) = base + weights, base null for 0. All in vectors of a row.
  void sum(std::span<const Feature> active, const float* base, float* sum) const;
  // Everything behind the sparse layer and its ReLU, kOutputs raw outputs a row.
  ReluLayers layers() const;
  // One afterstate, for hints and tests.
  Prediction predict(const FeatureList& list) const;

 private:
  Layer sparse_;
  std::vector<Layer> dense_;  // the last one has kOutputs columns
};

}  // namespace dealer::ofc
