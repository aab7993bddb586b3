#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "agents/ofc/model_play.h"
#include "agents/ofc/value_model.h"
#include "env/core/data_dir.h"
#include "env/core/random.h"
#include "tests/support/cards.h"

namespace dealer::test {

inline std::shared_ptr<const ofc::ValueModel> shipped_model() {
  return std::make_shared<const ofc::ValueModel>(
      ofc::load_value_model(read_safetensors(data_path("models/ofc.safetensors"))));
}

// Weights from -scale / 2 to scale / 2.
inline ofc::ValueNet random_net(const std::vector<int>& widths, std::uint64_t seed, float sparse = 1, float dense = 1,
                                const Stacks& stacks = {}, int features = ofc::kFeatures) {
  SparseNet net(features, widths, ofc::kOutputs, stacks);
  RandomStream rng(seed);
  const auto fill = [&rng](auto& values, float scale) {
    for (float& value : values) value = scale * (rng.uniform() - 0.5F);
  };
  fill(net.sparse().weight, sparse);
  fill(net.sparse().bias, sparse);
  for (std::size_t stack = 0; stack < at(stacks.count); ++stack)
    for (auto& layer : net.dense(stack)) {
      fill(layer.weight, dense);
      fill(layer.bias, dense);
    }
  return ofc::ValueNet(std::move(net));
}

// All placements of a turn, in their order.
inline std::vector<ofc::Placement> placements_of(const ofc::Board& board, CardSet hand, int discards) {
  ofc::PlacementBuffer all;
  const int count = ofc::enumerate_placements(board, hand, discards, all);
  return {all.begin(), all.begin() + count};
}
inline std::vector<ofc::Placement> placements_of(const ofc::View& view) {
  return placements_of(view.board[0], view.hand, view.discards_left);
}

}  // namespace dealer::test
