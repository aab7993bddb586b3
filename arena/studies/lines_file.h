#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dealer::studies {

// A file of a study that grows by blocks of lines. Behind each block a line "UNIT N" says that N of its units stand
// above it whole; what follows the last of these lines was never finished. Whoever has the study's folder open is the
// only one to write it. All throw FileError (path and reason).
class LinesFile {
 public:
  // Makes the file, or opens it and cuts off what was never finished.
  LinesFile(std::filesystem::path file, std::string unit);
  ~LinesFile();
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  // Units that stand in it.
  std::int64_t done() const { return done_; }
  // `lines` end with a newline each and bring the units to `done`.
  void append(std::string_view lines, std::int64_t done);

  // Calls f for every line but those that count units, in order. A line that f returns false for is named in the error.
  static void read(const std::filesystem::path& file, std::string_view unit,
                   const std::function<bool(std::string_view line)>& f);

 private:
  void write(std::string_view text) const;

  std::filesystem::path file_;
  std::string unit_;
  int descriptor_ = -1;
  std::int64_t done_ = 0;
};

}  // namespace dealer::studies
