#include "agents/ofc/value_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr const char* kFormat = "dealer.ofc.afterstate_stakes.1";

std::vector<Board> load_boards(const TensorFile& file) {
  const auto found = file.tensors.find("boards");
  const std::int64_t rows = found == file.tensors.end() || found->second.shape.empty() ? 0 : found->second.shape[0];
  const auto& cards = file.get<std::uint8_t>("boards", {rows, kBoardCards});
  std::vector<Board> boards(at(rows));
  for (std::size_t i = 0; i < boards.size(); ++i) {
    for (std::size_t c = 0; c < kBoardCards; ++c) {
      const Card card = cards[i * kBoardCards + c];
      if (card >= kCards)
        throw CheckpointError(fmt::format("{}: tensor 'boards' holds {}, which is no card", file.name, card));
      boards[i].row[c < 3 ? kFront : c < 8 ? kMiddle : kBack] |= bit(card);
    }
    if (!boards[i].complete() || size(boards[i].cards()) != kBoardCards)
      throw CheckpointError(fmt::format("{}: tensor 'boards' holds a board with a card twice", file.name));
  }
  return boards;
}

}  // namespace

ValueNet::ValueNet(SparseNet net) : SparseNet(std::move(net)) {
  for (float& weight : sparse().weight) weight = rounded_to_half(weight);
}

Prediction ValueNet::predict(const FeatureList& list, const std::vector<ReluLayers>& layers) const {
  std::array<float, kOutputs> out{};
  ReluLayers own = layers[stacks().of(list.active())];
  forward(list.active(), own, out.data());
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  return {out[0] * kValueScale, out[3] * kValueScale, sigmoid(out[1]), sigmoid(out[2])};
}

void store(const ValueModel& model, TensorFile& file) {
  file.metadata["format"] = kFormat;
  file.metadata["game"] = "ofc";
  model.net.store(file);
  file.tensors["sparse.weight"].half = true;
  file.tensors["chain_values"] = {{2, 2, 2}, std::vector<double>(model.chain.data().begin(), model.chain.data().end())};
  file.tensors["caution"] = {{1}, std::vector<double>{model.caution}};
  std::vector<std::uint8_t> cards;
  for (const Board& board : model.boards)
    for (const CardSet row : board.row) for_each(row, [&](Card card) { cards.push_back(card); });
  file.tensors["boards"] = {{static_cast<std::int64_t>(model.boards.size()), kBoardCards}, std::move(cards)};
}

ValueModel load_value_model(const TensorFile& file) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kFormat)
    throw CheckpointError(fmt::format("{}: no trained OFC player: expected the format '{}', got '{}'", file.name,
                                      kFormat, format == file.metadata.end() ? "" : format->second));
  ValueModel model;
  model.net = ValueNet(SparseNet::read(file, kFeatures, kOutputs, kTurnStacks));
  const auto& chain = file.get_finite<double>("chain_values", {2, 2, 2});
  std::copy(chain.begin(), chain.end(), model.chain.data().begin());
  model.boards = load_boards(file);
  model.caution = file.get<double>("caution", {1})[0];
  if (!(model.caution >= 0 && model.caution <= kMaxCaution))
    throw CheckpointError(
        fmt::format("{}: tensor 'caution' holds {}; expected 0 to {}", file.name, model.caution, kMaxCaution));
  return model;
}

}  // namespace dealer::ofc
