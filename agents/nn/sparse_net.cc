#include "agents/nn/sparse_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "env/core/error.h"

namespace dealer {
namespace {

// The maximum number of active features of a position.
constexpr int kMostActive = 256;

constexpr std::int64_t kMaxWidth = 1 << 14;
constexpr const char* kStacksFrom = "stacks_from";

// Sums for `vectors` vectors of columns, kept in registers.
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

// Derives the hidden sizes from the shapes of the dense layers.
std::vector<int> read_widths(const TensorFile& file, const Stacks& stacks) {
  std::vector<int> widths;
  for (std::size_t layer = 0;; ++layer) {
    const std::string name = dense_name(stacks, 0, layer) + "weight";
    const auto weight = file.tensors.find(name);
    if (weight == file.tensors.end()) break;
    if (weight->second.shape.size() != 2 || weight->second.shape[0] < 1 || weight->second.shape[0] > kMaxWidth)
      throw CheckpointError(fmt::format("{}: tensor '{}' has shape {}; expected [in, out] with at most {} inputs",
                                        file.name, name, shape_text(weight->second.shape), kMaxWidth));
    widths.push_back(static_cast<int>(weight->second.shape[0]));
  }
  if (widths.empty())
    throw CheckpointError(fmt::format("{}: tensor '{}weight' is missing", file.name, dense_name(stacks, 0, 0)));
  return widths;
}

}  // namespace

std::string dense_name(const Stacks& stacks, std::size_t stack, std::size_t layer) {
  return stacks.count == 1 ? fmt::format("dense.{}.", layer) : fmt::format("stack.{}.dense.{}.", stack, layer);
}

std::size_t Stacks::of(std::span<const Feature> active) const {
  if (count == 1) return 0;
  for (const Feature feature : active)
    if (feature >= first && feature < first + count) return at(feature - first);
  return 0;
}

SparseNet::SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs, const Stacks& stacks)
    : sparse_(DenseLayer::zero(features, hidden_sizes.front())), stacks_(stacks), dense_(at(stacks.count)) {
  for (std::vector<DenseLayer>& stack : dense_)
    for (std::size_t i = 0; i < hidden_sizes.size(); ++i)
      stack.push_back(DenseLayer::zero(hidden_sizes[i], i + 1 < hidden_sizes.size() ? hidden_sizes[i + 1] : outputs));
}

std::vector<int> SparseNet::hidden_sizes() const {
  std::vector<int> sizes;
  for (const DenseLayer& layer : dense()) sizes.push_back(layer.in);
  return sizes;
}

double SparseNet::dense_work() const {
  double work = 0;
  for (const DenseLayer& layer : dense()) work += static_cast<double>(layer.weight.size());
  return work;
}

std::vector<ReluLayers> SparseNet::all_layers() const {
  std::vector<ReluLayers> all;
  for (const std::vector<DenseLayer>& stack : dense_) all.emplace_back(stack);
  return all;
}

void SparseNet::sum(std::span<const Feature> active, const float* base, float* sum) const {
  constexpr std::size_t kVectors = kSimdWidth == 16 ? 16 : 8;
  const auto n = static_cast<std::size_t>(width());
  const float* const weight = sparse_.weight.data();
  const auto from = [&](std::size_t column) { return base == nullptr ? nullptr : base + column; };
  std::size_t i = 0;
  for (; i + kVectors * kSimdWidth <= n; i += kVectors * kSimdWidth)
    sum_part<kVectors>(active, weight + i, n, from(i), sum + i);
  for (; i + kVectors / 2 * kSimdWidth <= n; i += kVectors / 2 * kSimdWidth)
    sum_part<kVectors / 2>(active, weight + i, n, from(i), sum + i);
  for (; i + kSimdWidth <= n; i += kSimdWidth) sum_part<1>(active, weight + i, n, from(i), sum + i);
  for (; i < n; ++i) {
    sum[i] = base == nullptr ? 0 : base[i];
    for (const Feature feature : active) sum[i] += weight[feature * n + i];
  }
}

void SparseNet::forward(std::span<const Feature> active, ReluLayers& layers, float* out) const {
  std::vector<float> row(sparse_.bias.size());
  sum(active, sparse_.bias.data(), row.data());
  for (float& x : row) x = std::max(x, 0.0F);
  layers.forward(row.data(), 1, out);
}

void SparseNet::store(TensorFile& file) const {
  sparse_.store("sparse.", file);
  if (stacks_.count > 1) file.metadata[kStacksFrom] = std::to_string(stacks_.first);
  for (std::size_t s = 0; s < dense_.size(); ++s)
    for (std::size_t i = 0; i < dense_[s].size(); ++i) dense_[s][i].store(dense_name(stacks_, s, i), file);
}

SparseNet SparseNet::read(const TensorFile& file, int features, int outputs, const Stacks& possible) {
  SparseNet net;
  if (file.metadata.contains(kStacksFrom)) net.stacks_ = possible;
  if (net.stacks_.count > 1 && file.meta(kStacksFrom) != std::to_string(possible.first))
    throw CheckpointError(
        fmt::format("{}: '{}' is {}; expected {}", file.name, kStacksFrom, file.meta(kStacksFrom), possible.first));
  const std::vector<int> widths = read_widths(file, net.stacks_);
  net.sparse_ = DenseLayer::read(file, "sparse.", features, widths.front());
  net.dense_.resize(at(net.stacks_.count));
  for (std::size_t s = 0; s < net.dense_.size(); ++s) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      net.dense_[s].push_back(DenseLayer::read(file, dense_name(net.stacks_, s, i), widths[i],
                                               i + 1 < widths.size() ? widths[i + 1] : outputs));
    refuse_overflow(net.dense_[s], net.sparse_.reach(1, kMostActive), file.name);
  }
  return net;
}

}  // namespace dealer
