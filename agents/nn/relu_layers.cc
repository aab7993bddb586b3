#include "agents/nn/relu_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "env/core/error.h"

namespace dealer {
namespace {

// The tile size: the number of rows, and of vectors of columns, whose sums fit into registers.
constexpr int kGroup = kSimdWidth == 16 ? 4 : 2;
constexpr std::size_t kTile = 4;

constexpr std::size_t kWord = 64;

// Bit i % 64 of word i / 64: input i is non-zero in some row.
template <int rows>
void find_active(const float* input, std::size_t stride, std::size_t count, std::uint64_t* words) {
  for (std::size_t begin = 0; begin < count; begin += kWord) {
    const std::size_t end = std::min(count, begin + kWord);
    std::uint64_t word = 0;
    std::size_t i = begin;
#if defined(__AVX512F__)
    for (; i + kSimdWidth <= end; i += kSimdWidth) {
      __mmask16 some = 0;
      for (std::size_t row = 0; row < rows; ++row)
        some |= _mm512_cmp_ps_mask(_mm512_loadu_ps(input + row * stride + i), _mm512_setzero_ps(), _CMP_NEQ_UQ);
      word |= std::uint64_t{some} << (i - begin);
    }
#elif defined(__AVX__)
    for (; i + kSimdWidth <= end; i += kSimdWidth) {
      int some = 0;
      for (std::size_t row = 0; row < rows; ++row)
        some |= _mm256_movemask_ps(
            _mm256_cmp_ps(_mm256_loadu_ps(input + row * stride + i), _mm256_setzero_ps(), _CMP_NEQ_UQ));
      word |= static_cast<std::uint64_t>(some) << (i - begin);
    }
#endif
    for (; i < end; ++i) {
      bool some = false;
      for (std::size_t row = 0; row < rows; ++row) some |= input[row * stride + i] != 0;
      word |= std::uint64_t{some} << (i - begin);
    }
    words[begin / kWord] = word;
  }
}

// Computes `tile` vectors of columns for some rows: bias + active inputs times weights.
template <int rows, std::size_t tile>
void multiply(const float* input, std::size_t stride, std::span<const std::uint64_t> active, const float* weight,
              std::size_t width, const float* bias, bool with_relu, float* out) {
  SimdVector sum[rows][tile];
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < tile; ++c) sum[row][c] = load_vector(bias + c * kSimdWidth);
  for (std::uint64_t word : active) {
    for (; word != 0; word &= word - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(word));
      SimdVector w[tile];
      for (std::size_t c = 0; c < tile; ++c) w[c] = load_vector(weight + k * width + c * kSimdWidth);
      for (std::size_t row = 0; row < rows; ++row) {
        const float x = input[row * stride + k];
        for (std::size_t c = 0; c < tile; ++c) sum[row][c] = multiply_add(x, w[c], sum[row][c]);
      }
    }
    input += kWord;
    weight += kWord * width;
  }
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < tile; ++c)
      store_vector(out + row * width + c * kSimdWidth, with_relu ? relu(sum[row][c]) : sum[row][c]);
}

}  // namespace

DenseLayer DenseLayer::read(const TensorFile& file, const std::string& prefix, std::int64_t in, std::int64_t out) {
  return {static_cast<int>(in), static_cast<int>(out), file.get_finite<float>(prefix + "weight", {in, out}),
          file.get_finite<float>(prefix + "bias", {out})};
}

void DenseLayer::store(const std::string& prefix, TensorFile& file) const {
  file.tensors[prefix + "weight"] = {{in, out}, weight};
  file.tensors[prefix + "bias"] = {{out}, bias};
}

void store_layers(const std::vector<DenseLayer>& layers, const std::string& prefix, TensorFile& file) {
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].store(fmt::format("{}{}.", prefix, i), file);
}

std::vector<DenseLayer> read_layers(const TensorFile& file, const std::string& prefix,
                                    const std::vector<DenseLayer>& like) {
  std::vector<DenseLayer> layers;
  for (const DenseLayer& sizes : like)
    layers.push_back(DenseLayer::read(file, fmt::format("{}{}.", prefix, layers.size()), sizes.in, sizes.out));
  return layers;
}

double DenseLayer::reach(double inputs, int most_inputs) const {
  double most = 0;
  for (std::size_t j = 0; j < at(out); ++j) {
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < at(in); ++i) {
      const double size = std::abs(static_cast<double>(weight[i * at(out) + j]));
      sum += size;
      largest = std::max(largest, size);
    }
    most = std::max(most, std::abs(static_cast<double>(bias[j])) + inputs * std::min(sum, most_inputs * largest));
  }
  return most;
}

void refuse_overflow(std::span<const DenseLayer> layers, double inputs, const std::string& file) {
  double reached = inputs;
  for (const DenseLayer& layer : layers) {
    inputs = layer.reach(inputs, layer.in);
    reached = std::max(reached, inputs);
  }
  if (reached > static_cast<double>(std::numeric_limits<float>::max()))
    throw CheckpointError(
        fmt::format("{}: weights so large that its play would not be finite; expected a trained network", file));
}

ReluLayers::ReluLayers(std::span<const DenseLayer> layers) {
  std::vector<Layer> packed;
  for (const DenseLayer& from : layers) {
    const std::size_t in = at(from.in), out = at(from.out);
    const std::size_t blocks = (out + kSimdWidth - 1) / kSimdWidth, width = blocks * kSimdWidth;
    Layer& layer = packed.emplace_back(Layer{in, out, blocks, AlignedFloats(in * width), AlignedFloats(width)});
    for (std::size_t i = 0; i < in; ++i) std::copy_n(&from.weight[i * out], out, layer.weight.data() + i * width);
    std::copy_n(from.bias.data(), out, layer.bias.data());
    results_.emplace_back(kGroup * width);
    active_.resize(std::max(active_.size(), (in + kWord - 1) / kWord));
  }
  layers_ = std::make_shared<const std::vector<Layer>>(std::move(packed));
}

template <int rows>
void ReluLayers::run(const Layer& layer, const float* input, std::size_t stride, bool with_relu, float* result) {
  const std::span<std::uint64_t> active(active_.data(), (layer.in + kWord - 1) / kWord);
  find_active<rows>(input, stride, layer.in, active.data());
  const std::size_t width = layer.blocks * kSimdWidth;
  for (std::size_t block = 0; block < layer.blocks;) {
    const std::size_t column = block * kSimdWidth;
    const auto go = [&]<std::size_t tile>() {
      multiply<rows, tile>(input, stride, active, layer.weight.data() + column, width, layer.bias.data() + column,
                           with_relu, result + column);
      block += tile;
    };
    if (layer.blocks - block >= kTile)
      go.template operator()<kTile>();
    else if (layer.blocks - block >= 2)
      go.template operator()<2>();
    else
      go.template operator()<1>();
  }
}

template <int rows>
void ReluLayers::forward_group(const float* first, float* out) {
  const float* input = first;
  const std::vector<Layer>& layers = *layers_;
  std::size_t stride = layers.front().in;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    run<rows>(layers[i], input, stride, i + 1 < layers.size(), results_[i].data());
    input = results_[i].data();
    stride = layers[i].blocks * kSimdWidth;
  }
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(input + row * stride, layers.back().out, out + row * layers.back().out);
}

void ReluLayers::forward(const float* first, int rows, float* out) {
  const std::size_t in = layers_->front().in, outputs = layers_->back().out;
  for (; rows >= kGroup; rows -= kGroup, first += kGroup * in, out += kGroup * outputs)
    forward_group<kGroup>(first, out);
  for (; rows > 0; --rows, first += in, out += outputs) forward_group<1>(first, out);
}

}  // namespace dealer
