#include "env/core/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace dealer::crc32c_test {
namespace {

// RFC 3720 appendix B.4.
TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  std::string up;
  for (int i = 0; i < 32; ++i) up += static_cast<char>(i);
  EXPECT_EQ(crc32c(up), 0x46dd794eU);
  EXPECT_EQ(crc32c(std::string(up.rbegin(), up.rend())), 0x113fdb5cU);
}

TEST(Crc32c, AgreesWithBitByBitAndGoesOn) {
  std::mt19937 random(1);
  std::string bytes;
  for (int length = 0; length < 70; ++length) {
    std::uint32_t sum = 0xffffffff;
    for (const char c : bytes) {
      sum ^= static_cast<std::uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0x82f63b78U : 0U);
    }
    ASSERT_EQ(crc32c(bytes), ~sum) << length;
    const std::string_view all = bytes;
    const std::size_t cut = bytes.size() / 3;
    ASSERT_EQ(crc32c(all.substr(cut), crc32c(all.substr(0, cut))), ~sum) << length;
    bytes += static_cast<char>(random() & 0xff);
  }
}

}  // namespace
}  // namespace dealer::crc32c_test
