#include "env/core/crc32c.h"

#include <array>
#include <cstddef>

namespace dealer {
namespace {

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: the sum of byte b followed by k zero bytes, so that eight bytes are one step ("slicing by 8").
constexpr std::array<Table, 8> make_tables() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bits reversed
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t sum = tables[k - 1][byte];
      tables[k][byte] = (sum >> 8) ^ tables[0][sum & 0xff];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t sum = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      next ^= kTables[7 - k][byte(i + k) ^ ((sum >> (8 * k)) & 0xff)];
      next ^= kTables[3 - k][byte(i + 4 + k)];
    }
    sum = next;
  }
  for (; i < bytes.size(); ++i) sum = (sum >> 8) ^ kTables[0][(sum ^ byte(i)) & 0xff];
  return ~sum;
}

}  // namespace dealer
