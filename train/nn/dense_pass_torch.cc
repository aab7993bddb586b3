#include "train/nn/dense_pass_torch.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace dealer {
namespace {

// bfloat16 is the upper half of a float; for nonnegative values the order is that of their bits.
using Bits = std::uint16_t;

float value_of(float x) { return x; }
float value_of(Bits x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }
// To the nearest, ties to even. Precondition: finite.
template <class T>
T rounded(float x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<Bits>((bits + 0x7fffU + (bits >> 16 & 1)) >> 16);
  }
}

template <class T>
T* data_of(const torch::Tensor& tensor) {
  return static_cast<T*>(tensor.data_ptr());
}

// Calls f with a null pointer of the tensor's element type.
template <class F>
void with_type(torch::ScalarType type, const F& f) {
  if (type == torch::kFloat32)
    f(static_cast<float*>(nullptr));
  else
    f(static_cast<Bits*>(nullptr));
}

// Mask with all bits set if the value is above 0.
std::uint32_t above_zero(float x) { return x > 0 ? ~std::uint32_t{0} : 0; }
Bits above_zero(Bits x) { return static_cast<Bits>(static_cast<std::int16_t>(x) > 0 ? 0xffff : 0); }

template <class T>
void add_bias(const torch::Tensor& x, const float* __restrict bias, bool relu) {
  const std::int64_t rows = x.size(0), width = x.size(1);
  T* __restrict row = data_of<T>(x);
  const float low = relu ? 0 : -std::numeric_limits<float>::infinity();
  for (std::int64_t r = 0; r < rows; ++r, row += width)
    for (std::int64_t c = 0; c < width; ++c) row[c] = rounded<T>(std::max(value_of(row[c]) + bias[c], low));
}

// x if the layer's output is above 0; otherwise 0.
template <class T>
void mask(const torch::Tensor& x, const torch::Tensor& output) {
  using Word = decltype(above_zero(T{}));
  T* __restrict to = data_of<T>(x);
  const T* __restrict o = data_of<T>(output);
  const std::int64_t n = x.numel();
  for (std::int64_t i = 0; i < n; ++i)
    to[i] = std::bit_cast<T>(static_cast<Word>(std::bit_cast<Word>(to[i]) & above_zero(o[i])));
}

template <class To, class From>
void convert(const torch::Tensor& to, const torch::Tensor& from) {
  To* __restrict t = data_of<To>(to);
  const From* __restrict f = data_of<From>(from);
  const std::int64_t n = from.numel();
  for (std::int64_t i = 0; i < n; ++i) t[i] = rounded<To>(value_of(f[i]));
}

template <class T>
void sum_rows(const torch::Tensor& x, float* __restrict sums) {
  const std::int64_t rows = x.size(0), width = x.size(1);
  const T* __restrict row = data_of<T>(x);
  std::fill_n(sums, width, 0.0F);
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4, row += 4 * width)
    for (std::int64_t c = 0; c < width; ++c)
      sums[c] +=
          (value_of(row[c]) + value_of(row[c + width])) + (value_of(row[c + 2 * width]) + value_of(row[c + 3 * width]));
  for (; r < rows; ++r, row += width)
    for (std::int64_t c = 0; c < width; ++c) sums[c] += value_of(row[c]);
}

}  // namespace

DensePass::DensePass(std::vector<int> widths, bool bfloat16)
    : widths_(std::move(widths)),
      layers_(widths_.size() - 1),
      type_(bfloat16 && layers_ > 1 ? torch::kBFloat16 : torch::kFloat32) {
  for (std::size_t l = 0; l < layers_; ++l) {
    gradients_.push_back(torch::empty({widths_[l], widths_[l + 1]}));
    gradients_.push_back(torch::empty({widths_[l + 1]}));
    if (type_ == torch::kFloat32 || is_last(l)) continue;
    weights_.push_back(torch::empty({widths_[l], widths_[l + 1]}, type_));
    weight_gradients_.push_back(torch::empty_like(weights_.back()));
  }
}

void DensePass::start(std::size_t rows) {
  rows_ = static_cast<std::int64_t>(rows);
  if (rows_ <= room_) return;
  room_ = rows_;
  const auto buffer = [&](int width, torch::ScalarType type) { return torch::empty({room_, width}, type); };
  in_ = buffer(widths_.front(), type_);
  out_.clear();
  delta_.clear();
  for (std::size_t l = 0; l + 1 < layers_; ++l) {
    out_.push_back(buffer(widths_[l + 1], type_));
    delta_.push_back(buffer(widths_[l + 1], type_));
  }
  out_.push_back(buffer(widths_.back(), torch::kFloat32));
  out_gradient_ = torch::empty_like(out_.back());
  if (type_ == torch::kFloat32) return;
  last_in_ = buffer(widths_[layers_ - 1], torch::kFloat32);
  last_delta_ = torch::empty_like(last_in_);
}

void DensePass::write(std::size_t row, std::size_t offset, std::span<const float> values) {
  with_type(type_, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T* __restrict to = data_of<T>(in_) + row * static_cast<std::size_t>(widths_.front()) + offset;
    const float* __restrict from = values.data();
    const std::size_t n = values.size();
    for (std::size_t i = 0; i < n; ++i) to[i] = rounded<T>(from[i]);
  });
}

torch::Tensor DensePass::input_of(std::size_t layer) const {
  if (layer == 0) return used(in_);
  return used(is_last(layer) && last_in_.defined() ? last_in_ : out_[layer - 1]);
}

torch::Tensor DensePass::weight_of(std::size_t layer) const {
  return layer < weights_.size() ? weights_[layer] : parameters_[2 * layer];
}

const float* DensePass::forward(const std::vector<torch::Tensor>& parameters) {
  const torch::NoGradGuard no_gradient;
  parameters_ = parameters;
  for (torch::Tensor& parameter : parameters_) parameter = parameter.detach();
  for (std::size_t l = 0; l < layers_; ++l) {
    const torch::ScalarType type = is_last(l) ? torch::kFloat32 : type_;
    if (l < weights_.size()) convert<Bits, float>(weights_[l], parameters_[2 * l]);
    if (is_last(l) && last_in_.defined()) convert<float, Bits>(used(last_in_), used(out_[l - 1]));
    torch::Tensor out = used(out_[l]);
    at::mm_out(out, input_of(l), weight_of(l));
    with_type(type, [&](auto* t) {
      add_bias<std::remove_pointer_t<decltype(t)>>(out, parameters_[2 * l + 1].data_ptr<float>(), !is_last(l));
    });
  }
  return out_.back().data_ptr<float>();
}

const std::vector<torch::Tensor>& DensePass::backward() {
  const torch::NoGradGuard no_gradient;
  for (std::size_t l = layers_; l-- > 0;) {
    const torch::ScalarType type = is_last(l) ? torch::kFloat32 : type_;
    const torch::Tensor delta = used(is_last(l) ? out_gradient_ : delta_[l]);
    const bool converts = l < weights_.size();
    torch::Tensor& gradient = converts ? weight_gradients_[l] : gradients_[2 * l];
    at::mm_out(gradient, input_of(l).t(), delta);
    if (converts) convert<float, Bits>(gradients_[2 * l], gradient);
    with_type(type, [&](auto* t) {
      sum_rows<std::remove_pointer_t<decltype(t)>>(delta, gradients_[2 * l + 1].data_ptr<float>());
    });
    if (l == 0) break;
    torch::Tensor before = used(delta_[l - 1]);
    torch::Tensor raw = is_last(l) && last_delta_.defined() ? used(last_delta_) : before;
    at::mm_out(raw, delta, weight_of(l).t());
    const torch::Tensor output = used(out_[l - 1]);
    if (is_last(l) && last_delta_.defined()) convert<Bits, float>(before, raw);
    with_type(type_, [&](auto* t) { mask<std::remove_pointer_t<decltype(t)>>(before, output); });
  }
  return gradients_;
}

}  // namespace dealer
