#include "agents/nn/sparse_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "env/core/error.h"

namespace dealer {
namespace {

// No position has more features than that.
constexpr int kMostActive = 256;

constexpr std::int64_t kMaxWidth = 1 << 14;

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

std::string dense_name(std::size_t layer) { return fmt::format("dense.{}.", layer); }

// The hidden sizes by the shapes of the dense layers.
std::vector<int> read_widths(const TensorFile& file) {
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
  return widths;
}

}  // namespace

SparseNet::SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs)
    : sparse_(DenseLayer::zero(features, hidden_sizes.front())) {
  for (std::size_t i = 0; i < hidden_sizes.size(); ++i)
    dense_.push_back(DenseLayer::zero(hidden_sizes[i], i + 1 < hidden_sizes.size() ? hidden_sizes[i + 1] : outputs));
}

std::vector<int> SparseNet::hidden_sizes() const {
  std::vector<int> sizes;
  for (const DenseLayer& layer : dense_) sizes.push_back(layer.in);
  return sizes;
}

double SparseNet::dense_work() const {
  double work = 0;
  for (const DenseLayer& layer : dense_) work += static_cast<double>(layer.weight.size());
  return work;
}

void SparseNet::sum(std::span<const Feature> active, const float* base, float* sum) const {
  constexpr std::size_t kVectors = kSimdWidth == 16 ? 16 : 8;
  const auto n = static_cast<std::size_t>(width());
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

void SparseNet::forward(std::span<const Feature> active, ReluLayers& layers, float* out) const {
  std::vector<float> row(sparse_.bias.size());
  sum(active, sparse_.bias.data(), row.data());
  for (float& x : row) x = std::max(x, 0.0F);
  layers.forward(row.data(), 1, out);
}

void SparseNet::store(TensorFile& file) const {
  sparse_.store("sparse.", file);
  for (std::size_t i = 0; i < dense_.size(); ++i) dense_[i].store(dense_name(i), file);
}

SparseNet SparseNet::read(const TensorFile& file, int features, int outputs) {
  const std::vector<int> widths = read_widths(file);
  SparseNet net;
  net.sparse_ = DenseLayer::read(file, "sparse.", features, widths.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    net.dense_.push_back(
        DenseLayer::read(file, dense_name(i), widths[i], i + 1 < widths.size() ? widths[i + 1] : outputs));
  refuse_overflow(net.dense_, net.sparse_.reach(1, kMostActive), file.name);
  return net;
}

}  // namespace dealer
