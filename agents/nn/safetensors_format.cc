#include "agents/nn/safetensors_format.h"

#include <fmt/format.h>

#include "env/core/at.h"
#include "env/core/crc32c.h"

namespace dealer::safetensors {

std::optional<std::size_t> byte_count(const std::vector<std::int64_t>& shape, std::size_t type) {
  std::size_t count = kSizes[type];
  for (const std::int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, at(extent), &count)) return std::nullopt;
  }
  return count;
}

std::string checksum(nlohmann::json header, std::uint32_t data_sum) {
  header[kMetadata].erase(kChecksum);
  return fmt::format("{:08x}", crc32c(header.dump(), data_sum));
}

}  // namespace dealer::safetensors
