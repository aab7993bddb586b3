#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dealer::cli {

// A file of hand histories while hands are played (--log). A hand is in it whole or not at all, however the program
// ends; what was in the file stays until the first hand is over.
class LogFile {
 public:
  // Opens the file, of which the first bytes stay; throws FileError.
  explicit LogFile(std::string file, std::int64_t kept = 0);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // Appends whole hands. Throws FileError, ClosedPipe.
  void write(std::string_view hands);

 private:
  [[noreturn]] void fail() const;

  const std::string file_;
  const std::int64_t kept_;
  int out_ = -1;
  bool made_ = false;   // the file did not exist
  bool begun_ = false;  // there is a hand of ours in it
};

}  // namespace dealer::cli
