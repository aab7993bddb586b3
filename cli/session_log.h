#pragma once

#include <string>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/history.h"

namespace dealer::cli {

// The file of hand histories that `dealer play --log` writes: one hand under each heading, from 1. A hand is in it
// whole or not at all, however the session ends; what was in the file stays until the first hand is over.
class SessionLog {
 public:
  // Opens the file; throws UsageError when the name is empty, FileError.
  SessionLog(std::string file, GamePtr game);
  // A file that was made for nothing is taken away.
  ~SessionLog();
  SessionLog(const SessionLog&) = delete;
  SessionLog& operator=(const SessionLog&) = delete;

  // Throws FileError.
  void add(const phh::HandPlayed& hand, const std::vector<std::string>& players);

 private:
  void write(const std::string& text);
  [[noreturn]] void fail() const;

  const std::string file_;
  const GamePtr game_;
  int out_ = -1;
  bool made_ = false;
  int hands_ = 0;
};

}  // namespace dealer::cli
