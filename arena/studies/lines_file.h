#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dealer::studies {

// The store of results: a text file that grows by records, each of some lines. Behind the lines of a record stands
// "UNIT N crc32c XXXXXXXX": N units (deals, tournaments, tries) stand above it whole, and the sum is that of all bytes
// of the file before it. So a line that is altered, doubled, moved or missing is found, and who reads a file may trust
// it. Files of earlier versions have lines "UNIT N" without a sum; the first record that is added to one covers them.
//
// A record without its end, as a power cut leaves it, is dropped with a warning on stderr, to be played again. All
// throw FileError, which names the file and the line of a record that is not what was written.
class LinesFile {
 public:
  // Makes the file, or opens it. Whoever has the lock of its folder (folder.h) is the only one to write it.
  LinesFile(std::filesystem::path file, std::string unit);
  ~LinesFile();
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  // Units that stand in it.
  std::int64_t done() const { return done_; }
  // Adds a record: `lines` end with a newline each and bring the units to `done`. Where that fails the file is as it
  // was.
  void append(std::string_view lines, std::int64_t done);
  // Returns when what was appended would survive a power cut.
  void sync() const;

  // Calls `line` for every line of the records, in order, and `end` with the units behind each record. The error names
  // the line for which one of them returns false.
  static void read(const std::filesystem::path& file, std::string_view unit,
                   const std::function<bool(std::string_view line)>& line,
                   const std::function<bool(std::int64_t done)>& end = {});

 private:
  std::filesystem::path file_;
  std::string unit_;
  int descriptor_ = -1;
  std::int64_t done_ = 0;
  std::uintmax_t bytes_ = 0;
  std::uint32_t sum_ = 0;  // of all bytes
};

}  // namespace dealer::studies
