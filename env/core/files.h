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

  // The next bytes, as many as there are by now; 0 at the end.
  std::size_t read(std::span<char> bytes);
  // For messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
};

// Replaces a file by the parts, one after the other, so that at any moment, a power cut included, either the old file
// or the whole new one is there: a temporary file in the same folder is written, synced and renamed, then the folder is
// synced. Symbolic links are followed; what is no regular file (/dev/stdout) is written straight.
// Throws FileError ("cannot write PATH: why"); then the old file is untouched and no temporary file is left.
void write_file(const std::filesystem::path& file, std::span<const std::string_view> parts);
inline void write_file(const std::filesystem::path& file, std::string_view bytes) {
  write_file(file, std::span(&bytes, 1));
}

// Returns when what was made, renamed or removed in the folder would survive a power cut. Throws FileError.
void sync_folder(const std::filesystem::path& folder);

// The end of the name of every temporary file of write_file(): what a killed process leaves behind ends so.
inline constexpr std::string_view kTemporarySuffix = ".tmp";

}  // namespace dealer
