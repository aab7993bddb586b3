#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.h"

namespace dealer::cli {

// The file of hand histories that `dealer match --log` writes: one hand under each heading DEAL-SEATING-HAND.
class MatchLog {
 public:
  // Opens the file; throws FileError.
  MatchLog(std::string file, const MatchOptions& match);
  ~MatchLog();
  MatchLog(const MatchLog&) = delete;
  MatchLog& operator=(const MatchLog&) = delete;

  // For MatchOptions: in any thread; in the order of deals.
  std::string describe(const PlayedHand& hand) const;
  void write(std::string_view text);
  // Throws FileError when something could not be written.
  void close();

 private:
  [[noreturn]] void fail() const;

  const std::string file_;
  const GamePtr game_;
  std::vector<std::string> agents_;
  std::FILE* out_ = nullptr;
};

}  // namespace dealer::cli
