#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/sparse_net.h"
#include "agents/seven_hand/afterstate_features.h"

namespace dealer::seven_hand {

// The model of a trained value agent. Immutable, shared by agents.
struct ValueModel {
  SparseNet net;
  std::shared_ptr<const AfterstateFeatures> features;
};
// Tensors as in SparseNet. Throws CheckpointError naming the file if it holds no such model.
void store_net(const SparseNet& net, TensorFile& file);
SparseNet load_net(const TensorFile& file);
inline constexpr int kOutputs = 1;

// A whole turn of the observer: the cards it lays, or the chip it names.
struct TurnChoice {
  CardSet cards = 0;  // 0: it names a chip
  int chip = -1;
  float value = 0;  // expected points of the hand
};

// Lists all choices of the observer, who is to act at the beginning of a turn, in a fixed order: never empty. also: a
// laying that is included in any case; 0: none. Both vectors are overwritten; `layings` is scratch memory.
void list_choices(const View& view, CardSet also, std::vector<CardSet>& layings, std::vector<TurnChoice>& choices);
// "Ah Ad", "chip 3".
std::string text_of(const TurnChoice& choice);
// The actions that play a choice from `view`, where some of its cards may already be picked.
std::vector<Action> line_of(const View& view, const TurnChoice& choice);

// Values all choices of a turn by the network, in batches. A value does not depend on the batch it is in, bit for bit.
// Serves one thread; the model must outlive it.
class TurnEvaluator {
 public:
  TurnEvaluator(const SparseNet& net, const AfterstateFeatures& features);

  // The choices of list_choices() with their values, valid until the next call.
  std::span<const TurnChoice> value(const View& view, CardSet also = 0);
  // The features of one of the choices that the last value() returned.
  FeatureList features(const TurnChoice& choice) const;
  // The number of network evaluations so far.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  static constexpr int kRowsAtOnce = 32;
  void run(std::size_t end);

  const SparseNet& net_;
  const AfterstateFeatures& features_;
  ReluLayers layers_;
  AlignedFloats common_sum_, first_;  // [width], [kRowsAtOnce, width]
  std::vector<CardSet> layings_;
  std::vector<TurnChoice> choices_;
  View view_;
  AfterstateFeatures::Common common_;
  int rows_ = 0;
  std::int64_t evaluations_ = 0;
};

// The first choice with the maximum value.
const TurnChoice& best_of(std::span<const TurnChoice> choices);

}  // namespace dealer::seven_hand
