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

// Replays hands one after the other, in the order of a file.
class Replayer {
 public:
  // Returns every difference between the record and the replay. Never throws for the contents of the hand.
  std::vector<Problem> check(const HandHistory& hand);

  // The game of the last hand checked, null if none of ours could be made, and the events as far as it could be
  // replayed, with all cards given in the history.
  const GamePtr& game() const { return game_; }
  const std::vector<Event>& events() const { return events_; }
  // The last hand checked, if it is of a standard variant and names no game of ours; else null.
  const StandardReplay* standard() const { return standard_.get(); }
  // The decisions of the last hand checked. Precondition: it had no faults.
  HandDecisions decisions(const HandHistory& hand) const;

 private:
  std::vector<Problem> check_moves(const HandHistory& hand, const GamePtr& game);
  GamePtr make(const std::string& spec);

  std::map<std::string, GamePtr> games_;
  GamePtr game_;
  std::unique_ptr<StandardReplay> standard_;
  std::vector<Event> events_;
  // The end of the previous hand of moves, for the next one.
  std::unique_ptr<Env> env_;
  // The beginning of the last hand of moves checked.
  std::unique_ptr<Env> begin_;
  std::string episode_;
  int next_hand_ = 0;
};

// The report of `dealer replay`.
struct FileReplay {
  struct Error {
    std::string hand;  // its heading, or its number in the file from 1
    int line;
    std::string message;
  };
  std::int64_t hands = 0, ok = 0;
  // Among the correct hands: those with a rake, those that break off, and those whose winner is unknown.
  std::int64_t raked = 0, unfinished = 0, undecided = 0;
  std::vector<Error> errors;
};
// Called with a hand's number in its file (from 1), the hand, its faults, and the replayer that checked it.
using LookAtHand = std::function<void(std::int64_t, const HandHistory&, const std::vector<Problem>&, const Replayer&)>;
// Reads and replays all hands of a .phh or .phhs file, and visits those that could be read; "-" is standard input.
// Stops after a thousand faulty hands. Throws FileError when the file cannot be read.
FileReplay replay_file(const std::filesystem::path& file, const LookAtHand& look = nullptr);
// The same for the text of a file.
FileReplay replay_text(std::string text, const LookAtHand& look = nullptr);

}  // namespace dealer::phh
