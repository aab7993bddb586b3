#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dealer {

// A file that only grows, record by record: a record is there whole or not at all, also on a full disk (short of a
// power cut, for which see cut()). All throw FileError ("cannot write PATH: why").
class AppendFile {
 public:
  // Opens or makes the file.
  explicit AppendFile(std::filesystem::path file);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // At once in the operating system's hands: other programs see it, and it survives the end of this one.
  void append(std::string_view record);
  // Returns when all records would survive a power cut.
  void sync();
  // Forgets all from byte `size` on, half a record after a power cut included.
  void cut(std::uint64_t size);

  // In bytes.
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace dealer
