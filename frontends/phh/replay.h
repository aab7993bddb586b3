#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/poker_decisions.h"
#include "frontends/phh/poker_history.h"
#include "frontends/phh/standard_replay.h"

namespace dealer::phh {

// Plays hands again, one after the other as they stand in a file.
class Replayer {
 public:
  // Every difference between what the hand says and what happens. Never throws for what stands in the hand.
  std::vector<Problem> check(const HandHistory& hand);

  // The game of the hand that was checked last, null where none could be made or it was none of ours, and what happened
  // in it as far as it could be played: with all the cards that the history tells.
  const GamePtr& game() const { return game_; }
  const std::vector<Event>& events() const { return events_; }
  // The hand that was checked last, where it is one of a standard variant that names no game of ours; else null.
  const StandardReplay* standard() const { return standard_.get(); }
  // What was decided in the hand that was checked last: precondition: there was nothing wrong with it.
  HandDecisions decisions(const HandHistory& hand) const;

 private:
  std::vector<Problem> check_moves(const HandHistory& hand, const GamePtr& game);
  GamePtr make(const std::string& spec);

  std::map<std::string, GamePtr> games_;
  GamePtr game_;
  std::unique_ptr<StandardReplay> standard_;
  std::vector<Event> events_;
  // The end of the last hand of moves, for the hand that follows.
  std::unique_ptr<Env> env_;
  // The beginning of the hand of moves that was checked last.
  std::unique_ptr<Env> begin_;
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
  // Of the hands that are right: from which a rake was taken, that break off, and of which nobody can say who wins.
  std::int64_t raked = 0, unfinished = 0, undecided = 0;
  std::vector<Error> errors;
};
// Called with the number of a hand in its file (from 1), the hand, what is wrong with it, and who has played it again.
using LookAtHand = std::function<void(std::int64_t, const HandHistory&, const std::vector<Problem>&, const Replayer&)>;
// Reads and plays all the hands of a .phh or .phhs file, and looks at all that could be read; "-" is standard input.
// Where a thousand hands are wrong the rest is not read. Throws FileError when the file cannot be read.
FileReplay replay_file(const std::filesystem::path& file, const LookAtHand& look = nullptr);
// The same of a file's text.
FileReplay replay_text(std::string text, const LookAtHand& look = nullptr);

}  // namespace dealer::phh
