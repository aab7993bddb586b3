#include "agents/ofc/value_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr const char* kFormat = "dealer.ofc.afterstate_stakes.1";
constexpr std::int64_t kMaxWidth = 1 << 14;

std::string dense_name(std::size_t layer) { return fmt::format("dense.{}.", layer); }

void store_layer(const ValueNet::Layer& layer, const std::string& prefix, TensorFile& file) {
  const auto& w = layer.weight;
  file.tensors[prefix + "weight"] = {{w.rows(), w.cols()}, std::vector<float>(w.data(), w.data() + w.size())};
  file.tensors[prefix + "bias"] = {{layer.bias.size()},
                                   std::vector<float>(layer.bias.data(), layer.bias.data() + layer.bias.size())};
}

void load_layer(const TensorFile& file, const std::string& prefix, ValueNet::Layer& layer) {
  const auto& weight = file.get<float>(prefix + "weight", {layer.weight.rows(), layer.weight.cols()});
  const auto& bias = file.get<float>(prefix + "bias", {layer.bias.size()});
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(weight.begin(), weight.end(), finite) || !std::all_of(bias.begin(), bias.end(), finite))
    throw CheckpointError(
        fmt::format("{}: tensor '{}weight' or its bias holds a number that is not finite", file.name, prefix));
  std::copy(weight.begin(), weight.end(), layer.weight.data());
  std::copy(bias.begin(), bias.end(), layer.bias.data());
}

// Of all weights, before a network of such widths is made: a shape can announce what its file does not hold.
void check_shapes(const TensorFile& file, const std::vector<int>& widths) {
  const auto check = [&](const std::string& prefix, std::int64_t in, std::int64_t out) {
    file.get<float>(prefix + "weight", {in, out});
    file.get<float>(prefix + "bias", {out});
  };
  check("sparse.", kFeatures, widths.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    check(dense_name(i), widths[i], i + 1 < widths.size() ? widths[i + 1] : kOutputs);
}

std::vector<Board> load_boards(const TensorFile& file) {
  const auto found = file.tensors.find("boards");
  const std::int64_t rows = found == file.tensors.end() || found->second.shape.empty() ? 0 : found->second.shape[0];
  const auto& cards = file.get<std::uint8_t>("boards", {rows, kBoardCards});
  std::vector<Board> boards(static_cast<std::size_t>(rows));
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

void store(const ValueModel& model, TensorFile& file) {
  file.metadata["format"] = kFormat;
  file.metadata["game"] = "ofc";
  store_layer(model.net.sparse(), "sparse.", file);
  for (std::size_t i = 0; i < model.net.dense().size(); ++i) store_layer(model.net.dense()[i], dense_name(i), file);
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
  std::vector<int> widths;
  for (std::size_t layer = 0;; ++layer) {
    const auto weight = file.tensors.find(dense_name(layer) + "weight");
    if (weight == file.tensors.end()) break;
    if (weight->second.shape.size() != 2 || weight->second.shape[0] < 1 || weight->second.shape[0] > kMaxWidth)
      throw CheckpointError(fmt::format("{}: tensor '{}weight' has shape {}; expected [in, out] with at most {} inputs",
                                        file.name, dense_name(layer), shape_text(weight->second.shape), kMaxWidth));
    widths.push_back(static_cast<int>(weight->second.shape[0]));
  }
  if (widths.empty()) throw CheckpointError(fmt::format("{}: tensor 'dense.0.weight' is missing", file.name));
  check_shapes(file, widths);
  ValueModel model;
  model.net = ValueNet(widths);
  load_layer(file, "sparse.", model.net.sparse());
  for (std::size_t i = 0; i < widths.size(); ++i) load_layer(file, dense_name(i), model.net.dense()[i]);
  const auto& chain = file.get<double>("chain_values", {2, 2, 2});
  if (!std::all_of(chain.begin(), chain.end(), [](double x) { return std::isfinite(x); }))
    throw CheckpointError(fmt::format("{}: tensor 'chain_values' holds a number that is not finite", file.name));
  std::copy(chain.begin(), chain.end(), model.chain.data().begin());
  model.boards = load_boards(file);
  model.caution = file.get<double>("caution", {1})[0];
  if (!(model.caution >= 0 && model.caution <= kMaxCaution))
    throw CheckpointError(
        fmt::format("{}: tensor 'caution' holds {}; expected 0 to {}", file.name, model.caution, kMaxCaution));
  return model;
}

}  // namespace dealer::ofc
