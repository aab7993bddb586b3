#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dealer::studies {

// The storage of results: an append-only text file of records of several lines. Each record ends with "UNIT N crc32c
// XXXXXXXX": N units (deals, tournaments, tries) are complete above it, and the checksum covers all bytes before it. So
// altered, duplicated, moved or missing lines are detected. Files of earlier versions have lines "UNIT N" without a
// checksum; the first record appended to such a file covers them.
//
// An incomplete last record, as after a power cut, is dropped with a warning on stderr and played again. All functions
// throw FileError, which names the file and the line of a corrupt record.
class LinesFile {
 public:
  // Creates the file, or opens it. Only the owner of the folder's lock (folder.h) writes to it.
  LinesFile(std::filesystem::path file, std::string unit);
  ~LinesFile();
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  // The number of complete units.
  std::int64_t done() const { return done_; }
  // Appends a record: `lines` end with a newline each and bring the units to `done`. On
  // failure the file is unchanged.
  void append(std::string_view lines, std::int64_t done);
  // Returns once all records are on stable storage.
  void sync() const;

  // Calls `line` for every line of the records, in order, and `end` with the units after each record. The error names
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
