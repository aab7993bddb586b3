#include "agents/ofc/value_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"

namespace dealer::ofc {

ValueNet::ValueNet(const std::vector<int>& hidden_sizes) : sparse_(DenseLayer::zero(kFeatures, hidden_sizes.front())) {
  for (std::size_t i = 0; i < hidden_sizes.size(); ++i)
    dense_.push_back(DenseLayer::zero(hidden_sizes[i], i + 1 < hidden_sizes.size() ? hidden_sizes[i + 1] : kOutputs));
}

std::vector<int> ValueNet::hidden_sizes() const {
  std::vector<int> sizes;
  for (const DenseLayer& layer : dense_) sizes.push_back(layer.in);
  return sizes;
}

namespace {

// Sums of `vectors` vectors of columns, kept in registers.
template <std::size_t vectors>
void sum_part(std::span<const Feature> active, const float* weight, std::size_t width, const float* base, float* out) {
  SimdVector sum[vectors]{};
  if (base != nullptr)
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = load_vector(base + v * kSimdWidth);
  for (const Feature feature : active) {
    const float* const row = weight + feature * width;
    for (std::size_t v = 0; v < vectors; ++v) sum[v] += load_vector(row + v * kSimdWidth);
  }
  for (std::size_t v = 0; v < vectors; ++v) store_vector(out + v * kSimdWidth, sum[v]);
}

constexpr const char* kFormat = "dealer.ofc.afterstate_stakes.1";
constexpr std::int64_t kMaxWidth = 1 << 14;

std::string dense_name(std::size_t layer) { return fmt::format("dense.{}.", layer); }

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

void ValueNet::sum(std::span<const Feature> active, const float* base, float* sum) const {
  constexpr std::size_t kVectors = kSimdWidth == 16 ? 16 : 8;
  const auto n = at(width());
  const float* const weight = sparse_.weight.data();
  const auto from = [&](std::size_t column) { return base == nullptr ? nullptr : base + column; };
  std::size_t i = 0;
  for (; i + kVectors * kSimdWidth <= n; i += kVectors * kSimdWidth)
    sum_part<kVectors>(active, weight + i, n, from(i), sum + i);
  for (; i + kSimdWidth <= n; i += kSimdWidth) sum_part<1>(active, weight + i, n, from(i), sum + i);
  for (; i < n; ++i) {
    sum[i] = base == nullptr ? 0 : base[i];
    for (const Feature feature : active) sum[i] += weight[feature * n + i];
  }
}

Prediction ValueNet::predict(const FeatureList& list, ReluLayers layers) const {
  std::vector<float> row(sparse_.bias.size());
  sum(list.active(), sparse_.bias.data(), row.data());
  for (float& x : row) x = std::max(x, 0.0F);
  std::array<float, kOutputs> out{};
  layers.forward(row.data(), 1, out.data());
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  return {out[0] * kValueScale, out[3] * kValueScale, sigmoid(out[1]), sigmoid(out[2])};
}

void store(const ValueModel& model, TensorFile& file) {
  file.metadata["format"] = kFormat;
  file.metadata["game"] = "ofc";
  model.net.sparse().store("sparse.", file);
  for (std::size_t i = 0; i < model.net.dense().size(); ++i) model.net.dense()[i].store(dense_name(i), file);
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
  ValueModel model;
  model.net.sparse() = DenseLayer::read(file, "sparse.", kFeatures, widths.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    model.net.dense().push_back(
        DenseLayer::read(file, dense_name(i), widths[i], i + 1 < widths.size() ? widths[i + 1] : kOutputs));
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
