#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/poker_history.h"

namespace dealer::phh {

// Plays hands again, one after the other as they stand in a file.
class Replayer {
 public:
  // Every difference between what the hand says and what happens. Never throws for what stands in the hand.
  std::vector<Problem> check(const HandHistory& hand);

 private:
  std::vector<Problem> check_moves(const HandHistory& hand, const GamePtr& game);
  GamePtr game(const std::string& spec);

  std::map<std::string, GamePtr> games_;
  // The end of the last hand of moves, for the hand that follows.
  std::unique_ptr<Env> env_;
  std::string episode_;
  int next_hand_ = 0;
};

// What `dealer replay` reports.
struct FileReplay {
  struct Error {
    std::string hand;  // its heading, or its number in the file from 1
    int line;
    std::string message;
  };
  std::int64_t hands = 0, ok = 0;
  std::vector<Error> errors;
};
// Reads and plays all the hands of a .phh or .phhs file; "-" is standard input. `look` is called with every hand that
// could be read and what is wrong with it. Where a thousand hands are wrong the rest is not read. Throws FileError when
// the file cannot be read.
FileReplay replay_file(const std::filesystem::path& file,
                       const std::function<void(const HandHistory&, const std::vector<Problem>&)>& look = nullptr);

}  // namespace dealer::phh
