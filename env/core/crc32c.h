#pragma once

#include <cstdint>
#include <string_view>

namespace dealer {

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of the bytes; `before` is the checksum of the preceding bytes, so that
// crc32c(b, crc32c(a)) == crc32c(ab). "123456789" gives 0xe3069283.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace dealer
