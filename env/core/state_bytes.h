#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace dealer {

// Saved positions: plain values one after the other, then a checksum. FNV-1a finds accidents, not malice;
// GameState::valid() guards against the rest.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

class ByteWriter {
 public:
  explicit ByteWriter(std::string_view header) : bytes_(header) {}
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  std::string finish() && {
    add(checksum(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

// Precondition of add() and get(): the caller has checked the size.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }
  // True if the bytes end with the checksum of those before.
  static bool sum_is_right(std::string_view bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof(sum)) return false;
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    return sum == checksum(bytes.substr(0, bytes.size() - sizeof(sum)));
  }

 private:
  std::string_view bytes_;
};

}  // namespace dealer
