#include "agents/ofc/value_net.h"

#include <cmath>

namespace dealer::ofc {

ValueNet::ValueNet(const std::vector<int>& hidden_sizes) {
  sparse_.weight = Matrix::Zero(kFeatures, hidden_sizes.front());
  sparse_.bias = Vector::Zero(hidden_sizes.front());
  for (std::size_t i = 0; i < hidden_sizes.size(); ++i) {
    const int out = i + 1 < hidden_sizes.size() ? hidden_sizes[i + 1] : kOutputs;
    dense_.push_back({Matrix::Zero(hidden_sizes[i], out), Vector::Zero(out)});
  }
}

std::vector<int> ValueNet::hidden_sizes() const {
  std::vector<int> sizes;
  for (const Layer& layer : dense_) sizes.push_back(static_cast<int>(layer.weight.rows()));
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

}  // namespace

void ValueNet::sum(std::span<const Feature> active, const float* base, float* sum) const {
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

ReluLayers ValueNet::layers() const {
  ReluLayers layers;
  for (const Layer& layer : dense_)
    layers.add(layer.weight.data(), layer.bias.data(), static_cast<int>(layer.weight.rows()),
               static_cast<int>(layer.weight.cols()));
  return layers;
}

Prediction ValueNet::predict(const FeatureList& list) const {
  Vector row(width());
  sum(list.active(), sparse_.bias.data(), row.data());
  for (const Layer& layer : dense_) row = row.cwiseMax(0.0F).eval() * layer.weight + layer.bias;
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  return {row[0] * kValueScale, row[3] * kValueScale, sigmoid(row[1]), sigmoid(row[2])};
}

}  // namespace dealer::ofc
