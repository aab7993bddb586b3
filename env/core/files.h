#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace dealer {

// The bytes of a file, at most `limit` of them. Throws FileError ("cannot read PATH: why").
std::string read_file(const std::filesystem::path& file, std::size_t limit = std::numeric_limits<std::size_t>::max());

// A file read from its beginning to its end, part by part; "-" is standard input. All throw FileError.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& file);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Reads the next available bytes, at least one; 0 at the end.
  std::size_t read(std::span<char> bytes);
  // The name for messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
};

// Replaces a file by the concatenated parts, atomically even across a power cut: writes and syncs a temporary file in
// the same folder, renames it, then syncs the folder. Symbolic links are followed; anything that is not a regular file
// (/dev/stdout) is written directly.
// Throws FileError ("cannot write PATH: why"); then the old file is untouched and no temporary file is left.
void write_file(const std::filesystem::path& file, std::span<const std::string_view> parts);
inline void write_file(const std::filesystem::path& file, std::string_view bytes) {
  write_file(file, std::span(&bytes, 1));
}

// Writes all bytes to an open file. Returns 0 or the error number.
int write_all(int descriptor, std::string_view bytes);

// Syncs the folder, so that files made, renamed or removed in it survive a power cut. Throws FileError.
void sync_folder(const std::filesystem::path& folder);

// The suffix of every temporary file of write_file(), also of those left behind by a killed process.
inline constexpr std::string_view kTemporarySuffix = ".tmp";

}  // namespace dealer
