#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/ofc/chain_values.h"
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/value_net.h"

namespace dealer::ofc {

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
