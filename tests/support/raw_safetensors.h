#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "agents/nn/safetensors.h"

namespace dealer::test {

// The bytes of a file that holds what write_safetensors() refuses, without a checksum and half precision, as another
// program may write it.
inline std::string raw_safetensors(TensorFile content) {
  nlohmann::json header = {{"__metadata__", content.metadata}};
  std::string data;
  for (auto& [name, tensor] : content.tensors) {
    tensor.half = false;
    const std::size_t begin = data.size();
    std::visit(
        [&](const auto& values) {
          data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
        },
        tensor.data);
    header[name] = {{"dtype", tensor.dtype()}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

}  // namespace dealer::test
