#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/nn/sparse_net.h"
#include "agents/ofc/fantasyland.h"
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

// The value network for play, with four outputs.
class ValueNet : public SparseNet {
 public:
  ValueNet() = default;
  // The weights of its sparse layer, which files keep in half precision, are rounded.
  explicit ValueNet(SparseNet net);
  // As SparseNet. All weights zero.
  explicit ValueNet(const std::vector<int>& hidden_sizes, const Stacks& stacks = {})
      : SparseNet(kFeatures, hidden_sizes, kOutputs, stacks) {}
  // One afterstate, by all_layers(): for hints and tests.
  Prediction predict(const FeatureList& list, const std::vector<ReluLayers>& layers) const;
  Prediction predict(const FeatureList& list) const { return predict(list, all_layers()); }
};

inline constexpr double kMaxCaution = 100;
// What a player may be told to count Fantasyland as, either way.
inline constexpr double kMaxFantasylandValue = 1000;

// Everything a trained player knows: the value network, what Fantasyland is worth, and a sample of final boards of
// normal hands, against which Fantasyland boards are set.
struct ValueModel {
  ValueNet net;
  ChainValues chain;
  std::vector<Board> boards;
  // How much the player fears fouls beyond what they cost it on average: see AfterstateEvaluator.
  double caution = 0;
};

// Tensors: sparse.weight [features, width], sparse.bias [width], dense.N.weight [in, out], dense.N.bias [out],
// chain_values [2 own in Fantasyland, 2 other, 2 own deals], boards [n, 13] (front, middle, back), caution [1].
void store(const ValueModel& model, TensorFile& file);
// Throws CheckpointError naming the file when it holds no such model or one of another game or feature set.
ValueModel load_value_model(const TensorFile& file);

}  // namespace dealer::ofc
