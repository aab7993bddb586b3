#include "agents/nn/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "agents/nn/safetensors_format.h"
#include "env/core/error.h"

namespace dealer {
namespace {

bool tensor_is_finite(const Tensor& tensor) {
  return std::visit(
      [&](const auto& values) {
        using Value = std::decay_t<decltype(values[0])>;
        if constexpr (std::is_floating_point_v<Value>)
          return std::all_of(values.begin(), values.end(), [&](Value value) {
            return std::isfinite(tensor.half ? rounded_to_half(static_cast<float>(value)) : value);
          });
        else
          return true;
      },
      tensor.data);
}

}  // namespace

std::optional<std::string> tensor_not_finite(const TensorFile& file) {
  for (const auto& [name, tensor] : file.tensors)
    if (!tensor_is_finite(tensor)) return name;
  return std::nullopt;
}

std::string_view Tensor::dtype() const { return safetensors::kTypes[safetensors::type_of(*this)]; }

float rounded_to_half(float value) { return static_cast<float>(safetensors::Half(value)); }

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    if (!text.empty()) text += ", ";
    text += extent < 0 ? "n" : std::to_string(extent);
  }
  return "[" + text + "]";
}

const Tensor& TensorFile::checked(const std::string& tensor, const std::vector<std::int64_t>& shape,
                                  const Tensor::Data& type) const {
  const auto found = tensors.find(tensor);
  if (found == tensors.end()) throw CheckpointError(fmt::format("{}: has no tensor '{}'", name, tensor));
  const Tensor& got = found->second;
  if (got.data.index() != type.index() || got.shape != shape) {
    throw CheckpointError(fmt::format("{}: tensor '{}' is {} {}; expected {} {}", name, tensor, got.dtype(),
                                      shape_text(got.shape), safetensors::kTypes[type.index()], shape_text(shape)));
  }
  return got;
}

void TensorFile::check_finite(const std::string& tensor) const {
  if (!tensor_is_finite(tensors.at(tensor)))
    throw CheckpointError(fmt::format("{}: tensor '{}' holds a number that is not finite", name, tensor));
}

std::int64_t TensorFile::length(const std::string& tensor) const {
  const auto found = tensors.find(tensor);
  return found == tensors.end() || found->second.shape.size() != 1 ? -1 : found->second.shape[0];
}

const std::string& TensorFile::meta(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) throw CheckpointError(fmt::format("{}: has no metadata '{}'", name, key));
  return found->second;
}

}  // namespace dealer
