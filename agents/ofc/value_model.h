#pragma once

#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/nn/sparse_net.h"
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/features.h"

namespace dealer::ofc {

// The network's outputs for an afterstate against one opponent, from the mover's side.
struct Prediction {
  float stake;        // own royalties, Fantasyland bonus and row points: the quantity the mover maximises
  float other;        // the other's royalties and Fantasyland bonus; stake - other are the expected points
  float foul;         // probability of fouling
  float fantasyland;  // probability of entering Fantasyland
};
inline constexpr int kOutputs = 4;
// The unit in points of the outputs stake and other, so that targets are of the order of one.
inline constexpr float kValueScale = 10.0F;

// The value network for play, with four outputs.
class ValueNet : public SparseNet {
 public:
  ValueNet() = default;
  // Rounds the weights of the sparse layer, which files store in half precision.
  explicit ValueNet(SparseNet net);
  // As SparseNet; all weights are zero.
  explicit ValueNet(const std::vector<int>& hidden_sizes, const Stacks& stacks = {}, int features = kFeatures)
      : SparseNet(features, hidden_sizes, kOutputs, stacks) {}
  // It has the inputs of add_fantasyland_features().
  bool knows_fantasyland() const { return sparse().in == kFantasylandFeatures; }
  // The prediction for one afterstate, by all_layers(): for hints and tests.
  Prediction predict(const FeatureList& list, const std::vector<ReluLayers>& layers) const;
  Prediction predict(const FeatureList& list) const { return predict(list, all_layers()); }
};

inline constexpr double kMaxCaution = 100;
// The limit on the absolute value of Fantasyland that a player may be given.
inline constexpr double kMaxFantasylandValue = 1000;

// The parameters of a trained player: the value network, the value of Fantasyland, and a sample of final boards of
// normal hands, against which Fantasyland boards are set.
struct ValueModel {
  ValueNet net;
  // The rules it was trained on, to which `chain` belongs.
  Rules rules;
  ChainValues chain;
  std::vector<Board> boards;
  // The foul aversion beyond the mean cost of a foul: see AfterstateEvaluator.
  double caution = 0;
};

// Tensors: sparse.weight [features, width], sparse.bias [width], dense.N.weight [in, out], dense.N.bias [out],
// chain_values [6 own Fantasyland cards, 6 other, 2 own deals], boards [n, 13] (front, middle, back), caution [1].
// Metadata: rules, a game file.
void store(const ValueModel& model, TensorFile& file);
// Throws CheckpointError naming the file if it holds no such model or one for another game or feature set.
ValueModel load_value_model(const TensorFile& file);

}  // namespace dealer::ofc
