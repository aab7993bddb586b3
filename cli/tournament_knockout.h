#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dealer::cli {

// `dealer tournament … --format knockout`: what it takes besides agents, game, seed, threads and folder.
struct KnockoutOptions {
  int players = 0;
  int table_size = 0;
  std::optional<int> stack;
  int raise_every = 10;
  int most_hands = 1000;
  std::int64_t tournaments = 100;
  std::string log;
  bool single = false;
};
void add_knockout_options(CLI::App* command, KnockoutOptions& options);
// The first of these options that was given, "--stack", to be refused with other formats; empty when none was.
std::string knockout_option_given(const CLI::App& command);

struct KnockoutCommand {
  std::vector<std::string> agents;
  std::string game = "ofc";
  std::string out;  // folder (arena/knockout/folder.h); empty: nothing is kept
  std::uint64_t seed = 0;
  int threads = 0;
  bool quiet = false;
  bool json = false;
  KnockoutOptions options;
};
// Plays, prints and writes. Throws as other commands do; Interrupted after Ctrl-C, when what was played is told.
void run_knockout(const KnockoutCommand& command);

}  // namespace dealer::cli
