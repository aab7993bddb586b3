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
  std::string log;  // file for hand histories; empty: none
  bool quiet = false;
  bool json = false;
};
// Options besides agents, game, seed, threads and folder.
void add_knockout_options(CLI::App* command, KnockoutCommand& knockout);
// The first of these options given, "--stack", for rejecting it with other formats; empty when there is none.
std::string knockout_option_given(const CLI::App& command);
// Plays, prints and writes files. Throws like other commands; Interrupted after Ctrl-C, once results are printed.
void run_knockout(const KnockoutCommand& command);

}  // namespace dealer::cli
