#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"

namespace dealer {

struct BotCheckOptions {
  std::int64_t deals = 20;
  std::uint64_t seed = 0;
  double start_time = 10;  // seconds to hello
  double move_time = 10;   // seconds for a decision
  // Polled before every decision: true ends the check early.
  std::function<bool()> stop;
};

struct BotFailure {
  // "missing", "silent", "hello", "exited", "malformed", "illegal", "late", "hangs", "banner", "overdue", "unasked",
  // "bye", "processes"
  std::string kind;
  std::string message;
};

struct BotCheck {
  std::string name;  // name that the bot sends
  std::int64_t decisions = 0;
  double slowest = 0;    // seconds
  bool stopped = false;  // by BotCheckOptions::stop
  std::vector<BotFailure> failures;
};

// Plays deals of a game against an external bot, in every seat in turn with random players in the others, and reports
// its faults, a line for each kind. `target`: a command, "exec:COMMAND", "tcp:HOST:PORT" or "ws:HOST:PORT/PATH". Throws
// UsageError on a bad target.
BotCheck check_bot(std::string_view target, const GamePtr& game, const BotCheckOptions& options);

}  // namespace dealer
