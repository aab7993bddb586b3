#pragma once

#include <string>

#include "arena/knockout/knockout.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dealer::cli {

// `dealer tournament … --format knockout`.
struct KnockoutCommand {
  knockout::Options play;
  std::string log;  // of hands; empty: none
  bool quiet = false;
  bool json = false;
};
// What it takes besides agents, game, seed, threads and folder.
void add_knockout_options(CLI::App* command, KnockoutCommand& knockout);
// The first of these options that was given, "--stack", to be refused with other formats; empty when none was.
std::string knockout_option_given(const CLI::App& command);
// Plays, prints and writes. Throws as other commands do; Interrupted after Ctrl-C, when what was played is told.
void run_knockout(const KnockoutCommand& command);

}  // namespace dealer::cli
