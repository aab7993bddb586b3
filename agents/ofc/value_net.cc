#include "agents/ofc/value_net.h"

#include <cmath>

namespace dealer::ofc {

ValueNet::ValueNet(const std::vector<int>& widths) {
  sparse_.weight = Matrix::Zero(kFeatures, widths.front());
  sparse_.bias = Vector::Zero(widths.front());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const int out = i + 1 < widths.size() ? widths[i + 1] : kOutputs;
    dense_.push_back({Matrix::Zero(widths[i], out), Vector::Zero(out)});
  }
}

std::vector<int> ValueNet::widths() const {
  std::vector<int> widths;
  for (const Layer& layer : dense_) widths.push_back(static_cast<int>(layer.weight.rows()));
  return widths;
}

void ValueNet::accumulate(std::span<const Feature> active, float* sum) const {
  const auto n = static_cast<std::size_t>(width());
  for (const Feature feature : active) {
    const float* row = sparse_.weight.data() + feature * n;
    for (std::size_t i = 0; i < n; ++i) sum[i] += row[i];
  }
}

void ValueNet::forward(const float* first, int rows, float* outputs, Scratch& scratch) const {
  scratch.activation.resize(dense_.size());
  Eigen::Map<const Matrix> input(first, rows, width());
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    const Layer& layer = dense_[i];
    Matrix& out = scratch.activation[i];
    if (out.rows() < rows) out.resize(rows, layer.weight.cols());
    auto top = out.topRows(rows);
    if (i == 0)
      top.noalias() = input * layer.weight;
    else
      top.noalias() = scratch.activation[i - 1].topRows(rows) * layer.weight;
    if (i + 1 < dense_.size())
      top = (top.rowwise() + layer.bias).cwiseMax(0.0F);
    else
      top.rowwise() += layer.bias;
  }
  Eigen::Map<Matrix>(outputs, rows, kOutputs) = scratch.activation.back().topRows(rows);
}

Prediction ValueNet::predict(const FeatureList& list) const {
  std::vector<float> sum(sparse_.bias.data(), sparse_.bias.data() + sparse_.bias.size());
  accumulate(list.active(), sum.data());
  for (float& x : sum) x = std::max(x, 0.0F);
  std::array<float, kOutputs> out{};
  Scratch scratch;
  forward(sum.data(), 1, out.data(), scratch);
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
  return {out[0] * kValueScale, out[3] * kValueScale, sigmoid(out[1]), sigmoid(out[2])};
}

}  // namespace dealer::ofc
