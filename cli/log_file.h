#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dealer::cli {

// A file of hand histories, written during play (--log). Each hand is written completely or not at all, however the
// program ends; the old contents are kept until the first hand is over.
class LogFile {
 public:
  // Opens the file; its first bytes stay unchanged. Throws FileError.
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
  bool begun_ = false;  // it contains a hand of this session
};

}  // namespace dealer::cli
