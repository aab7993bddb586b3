#pragma once

#include <Eigen/Core>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agents/nn/safetensors.h"

// The format of a file, for reading and writing.
namespace dealer::safetensors {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in memory");

inline constexpr std::size_t kLengthBytes = 8;
// Enough for tens of thousands of tensors. Parsing a header takes about thirty times its size in memory.
inline constexpr std::size_t kMaxHeader = std::size_t{4} << 20;
inline constexpr std::size_t kAlignment = 8;
inline constexpr const char* kMetadata = "__metadata__";
inline constexpr const char* kChecksum = "crc32c";

// The type names of Tensor::Data, and the half-precision type that is float in memory.
inline constexpr std::array<std::string_view, std::variant_size_v<Tensor::Data> + 1> kTypes = {"F32", "F64", "I64",
                                                                                               "U8", "F16"};
inline constexpr std::array<std::size_t, kTypes.size()> kSizes = {4, 8, 8, 1, 2};
inline constexpr std::size_t kHalf = kTypes.size() - 1;

inline std::size_t type_of(const Tensor& tensor) { return tensor.half ? kHalf : tensor.data.index(); }

using Half = Eigen::half;

// The size of a tensor in bytes; nullopt on overflow.
std::optional<std::size_t> byte_count(const std::vector<std::int64_t>& shape, std::size_t type);

// The checksum of the header (in canonical form, without the checksum itself) and the tensors.
std::string checksum(nlohmann::json header, std::uint32_t data_sum);

}  // namespace dealer::safetensors
