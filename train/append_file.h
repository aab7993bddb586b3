#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dealer {

// A file that only grows, record by record: each record is written completely or not at all, also on a full disk
// (except at a power cut, for which see cut()). All functions throw FileError ("cannot write PATH: why").
class AppendFile {
 public:
  // Opens or creates the file.
  explicit AppendFile(std::filesystem::path file);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Writes to the operating system at once: other programs see it, and it survives the end of this one.
  void append(std::string_view record);
  // Syncs the file, so that all records survive a power cut.
  void sync();
  // Truncates the file to `size` bytes, removing also half a record after a power cut.
  void cut(std::uint64_t size);

  // Size in bytes.
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace dealer
