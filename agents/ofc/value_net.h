#pragma once

#include <utility>
#include <vector>

#include "agents/nn/sparse_net.h"
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
  explicit ValueNet(SparseNet net) : SparseNet(std::move(net)) {}
  // As SparseNet. All weights zero.
  explicit ValueNet(const std::vector<int>& hidden_sizes) : SparseNet(kFeatures, hidden_sizes, kOutputs) {}
  // One afterstate, for hints and tests.
  Prediction predict(const FeatureList& list) const;
};

}  // namespace dealer::ofc
