#include "agents/ofc/value_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/config.h"
#include "env/core/error.h"
#include "env/games/ofc/rules.h"

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
        throw CheckpointError(fmt::format("{}: tensor 'boards' holds {}, which is not a card", file.name, card));
      boards[i].row[c < 3 ? kFront : c < 8 ? kMiddle : kBack] |= bit(card);
    }
    if (!boards[i].complete() || size(boards[i].cards()) != kBoardCards)
      throw CheckpointError(fmt::format("{}: tensor 'boards' holds a board with a card twice", file.name));
  }
  return boards;
}

// Earlier files tell a Fantasyland hand from a normal one only: [2, 2, 2].
ChainValues load_chain_values(const TensorFile& file) {
  constexpr auto kHands = static_cast<std::int64_t>(ChainValues::kHands);
  ChainValues values;
  const auto found = file.tensors.find("chain_values");
  if (found == file.tensors.end() || found->second.shape != std::vector<std::int64_t>{2, 2, 2}) {
    const auto& stored = file.get_finite<double>("chain_values", {kHands, kHands, 2});
    std::copy(stored.begin(), stored.end(), values.data().begin());
    return values;
  }
  const auto& stored = file.get_finite<double>("chain_values", {2, 2, 2});
  for (std::size_t own = 0; own < ChainValues::kHands; ++own)
    for (std::size_t other = 0; other < ChainValues::kHands; ++other)
      for (std::size_t deals = 0; deals < 2; ++deals)
        values.data()[(own * ChainValues::kHands + other) * 2 + deals] =
            stored[(own > 0 ? 4U : 0U) + (other > 0 ? 2U : 0U) + deals];
  return values;
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
  if (model.net.knows_fantasyland()) file.metadata["any_rules"] = "true";
  model.net.store(file);
  file.tensors["sparse.weight"].half = true;
  constexpr auto kHands = static_cast<std::int64_t>(ChainValues::kHands);
  file.tensors["chain_values"] = {{kHands, kHands, 2},
                                  std::vector<double>(model.chain.data().begin(), model.chain.data().end())};
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
  const auto sparse = file.tensors.find("sparse.weight");
  const bool knows_fantasyland =
      sparse != file.tensors.end() && !sparse->second.shape.empty() && sparse->second.shape[0] == kFantasylandFeatures;
  const int features = knows_fantasyland ? kFantasylandFeatures : kFeatures;
  model.net = ValueNet(SparseNet::read(file, features, kOutputs, kTurnStacks));
  if (const auto rules = file.metadata.find("rules"); rules != file.metadata.end()) {
    Config config = Config::parse(rules->second, file.name + ": rules");
    model.rules = read_rules(config).scoring;
  }
  model.chain = load_chain_values(file);
  model.boards = load_boards(file);
  model.caution = file.get<double>("caution", {1})[0];
  if (!(model.caution >= 0 && model.caution <= kMaxCaution))
    throw CheckpointError(
        fmt::format("{}: tensor 'caution' holds {}; expected 0 to {}", file.name, model.caution, kMaxCaution));
  return model;
}

}  // namespace dealer::ofc
