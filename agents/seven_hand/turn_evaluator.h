#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/sparse_net.h"
#include "agents/seven_hand/afterstate_features.h"

namespace dealer::seven_hand {

// Everything a trained value player knows. Immutable, shared by agents.
struct ValueModel {
  SparseNet net;
  std::shared_ptr<const AfterstateFeatures> features;
};
// Tensors as SparseNet's. Throws CheckpointError naming the file when it holds no such model.
void store_net(const SparseNet& net, TensorFile& file);
SparseNet load_net(const TensorFile& file);
inline constexpr int kOutputs = 1;

// A whole turn of the observer: the cards it lays, or the chip it names.
struct TurnChoice {
  CardSet cards = 0;  // 0: it names a chip
  int chip = -1;
  float value = 0;  // expected points of the hand
};

// All choices of the observer, who is to act at the beginning of a turn, in an order of their own: never empty. also: a
// laying that is among them in any case; 0: none. Both vectors are overwritten; that of layings is scratch memory.
void list_choices(const View& view, CardSet also, std::vector<CardSet>& layings, std::vector<TurnChoice>& choices);
// "Ah Ad", "chip 3".
std::string text_of(const TurnChoice& choice);
// The actions that play a choice from the view on, in which some of its cards may be picked.
std::vector<Action> line_of(const View& view, const TurnChoice& choice);

// Values all choices of a turn by the network, many rows of it at once. A value does not depend on what else is
// evaluated with it, bit for bit. Serves one thread; the model must outlive it.
class TurnEvaluator {
 public:
  TurnEvaluator(const SparseNet& net, const AfterstateFeatures& features);

  // Those that list_choices() gives, good until the next call.
  std::span<const TurnChoice> value(const View& view, CardSet also = 0);
  // The features of one of the choices that value() gave last.
  FeatureList features(const TurnChoice& choice) const;
  // Of the network, so far.
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

// The first of the best.
const TurnChoice& best_of(std::span<const TurnChoice> choices);

}  // namespace dealer::seven_hand
