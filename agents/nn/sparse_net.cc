#include "agents/nn/sparse_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "env/core/error.h"

namespace dealer {
namespace {

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

void store_layer(const SparseNet::Layer& layer, const std::string& prefix, TensorFile& file) {
  const auto& w = layer.weight;
  file.tensors[prefix + "weight"] = {{w.rows(), w.cols()}, std::vector<float>(w.data(), w.data() + w.size())};
  file.tensors[prefix + "bias"] = {{layer.bias.size()},
                                   std::vector<float>(layer.bias.data(), layer.bias.data() + layer.bias.size())};
}

void load_layer(const TensorFile& file, const std::string& prefix, SparseNet::Layer& layer) {
  const auto& weight = file.get<float>(prefix + "weight", {layer.weight.rows(), layer.weight.cols()});
  const auto& bias = file.get<float>(prefix + "bias", {layer.bias.size()});
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(weight.begin(), weight.end(), finite) || !std::all_of(bias.begin(), bias.end(), finite))
    throw CheckpointError(
        fmt::format("{}: tensor '{}weight' or its bias holds a number that is not finite", file.name, prefix));
  std::copy(weight.begin(), weight.end(), layer.weight.data());
  std::copy(bias.begin(), bias.end(), layer.bias.data());
}

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

SparseNet::SparseNet(int features, const std::vector<int>& hidden_sizes, int outputs) {
  sparse_.weight = Matrix::Zero(features, hidden_sizes.front());
  sparse_.bias = Vector::Zero(hidden_sizes.front());
  for (std::size_t i = 0; i < hidden_sizes.size(); ++i) {
    const int out = i + 1 < hidden_sizes.size() ? hidden_sizes[i + 1] : outputs;
    dense_.push_back({Matrix::Zero(hidden_sizes[i], out), Vector::Zero(out)});
  }
}

std::vector<int> SparseNet::hidden_sizes() const {
  std::vector<int> sizes;
  for (const Layer& layer : dense_) sizes.push_back(static_cast<int>(layer.weight.rows()));
  return sizes;
}

double SparseNet::dense_work() const {
  double work = 0;
  for (const Layer& layer : dense_) work += static_cast<double>(layer.weight.size());
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

ReluLayers SparseNet::layers() const {
  ReluLayers layers;
  for (const Layer& layer : dense_)
    layers.add(layer.weight.data(), layer.bias.data(), static_cast<int>(layer.weight.rows()),
               static_cast<int>(layer.weight.cols()));
  return layers;
}

SparseNet::Vector SparseNet::forward(std::span<const Feature> active) const {
  Vector row(width());
  sum(active, sparse_.bias.data(), row.data());
  for (const Layer& layer : dense_) row = row.cwiseMax(0.0F).eval() * layer.weight + layer.bias;
  return row;
}

void store(const SparseNet& net, TensorFile& file) {
  store_layer(net.sparse(), "sparse.", file);
  for (std::size_t i = 0; i < net.dense().size(); ++i) store_layer(net.dense()[i], dense_name(i), file);
}

SparseNet load_sparse_net(const TensorFile& file, int features, int outputs) {
  const std::vector<int> widths = read_widths(file);
  // Of all weights, before a network of such widths is made: a shape can announce what its file does not hold.
  const auto check = [&](const std::string& prefix, std::int64_t in, std::int64_t out) {
    file.get<float>(prefix + "weight", {in, out});
    file.get<float>(prefix + "bias", {out});
  };
  check("sparse.", features, widths.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    check(dense_name(i), widths[i], i + 1 < widths.size() ? widths[i + 1] : outputs);
  SparseNet net(features, widths, outputs);
  load_layer(file, "sparse.", net.sparse());
  for (std::size_t i = 0; i < widths.size(); ++i) load_layer(file, dense_name(i), net.dense()[i]);
  return net;
}

}  // namespace dealer
