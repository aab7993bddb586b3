#include "cli/tournament_knockout.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "arena/knockout/report.h"
#include "arena/output.h"
#include "arena/report/text.h"
#include "cli/log_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program.h"
#include "env/core/counted.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/registry.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using studies::Unit;

constexpr int kMostPlayers = 256, kMostSeats = 10, kMostStack = 16'000'000, kMostHands = 1'000'000;
constexpr std::int64_t kMostTournaments = 100'000'000;

constexpr const char* kOptions[] = {"--players",   "--table-size",  "--stack",     "--raise-every",
                                    "--max-hands", "--tournaments", "--hands-log", "--no-duplicate"};

void print_knockout(const knockout::Result& result) {
  print(fmt::format("{}: {}\n{}{}, {}, {:.1f} s\n\n", result.game, knockout::describe(result),
                    counted(result.tournaments, "tournament"), result.duplicate ? " in every seating" : "",
                    counted(result.table_hands, "hand"), result.seconds));
  std::vector<std::vector<std::string>> rows = {
      {"agent", "place", knockout::entries(result) > 1 ? "each entry wins" : "won"}};
  for (const int a : knockout::ranking(result)) {
    const knockout::AgentPlaces& agent = result.agents[static_cast<std::size_t>(a)];
    rows.push_back(
        {agent.spec, studies::text_of(agent.place, Unit::kNumber), studies::text_of(agent.wins, Unit::kPercent)});
  }
  print(text_table(rows, [](std::size_t column) { return column > 0; }));
  print("\n");
  for (const std::string& sentence : knockout::comparisons(result)) print(sentence + '\n');
  if (const std::string unknown = knockout::unknown_intervals(result); !unknown.empty())
    print(fmt::format("\n{}\n", unknown));
  if (result.undecided > 0)
    print(fmt::format("\n{} of {} stopped at the hand limit; the remaining players are ranked by {}\n",
                      result.undecided, result.games, result.unit));
  if (const std::vector<std::string> failures = knockout::failures(result); !failures.empty()) {
    print("\n");
    for (const std::string& line : failures) print(one_line(line) + '\n');
  }
  for (const knockout::AgentPlaces& agent : result.agents)
    for (const std::string& warning : agent.warnings) print(fmt::format("{}: {}\n", agent.spec, one_line(warning)));
}

// Bytes to keep of a log of hands that further tournaments append to.
std::int64_t logged(const KnockoutCommand& command, const knockout::Kept& kept) {
  if (kept.tournaments == 0) return 0;
  std::error_code error;
  const auto size = fs::file_size(command.log, error);
  const bool has_them = kept.logged && !error && size >= static_cast<std::uintmax_t>(kept.log);
  if (has_them && (!kept.sum || crc32c(read_file(command.log, static_cast<std::size_t>(kept.log))) == *kept.sum))
    return kept.log;
  throw UsageError(fmt::format(
      "--hands-log '{}': it lacks hands of the tournaments in '{}'; omit it, or start again in another folder",
      command.log, command.play.folder.string()));
}

}  // namespace

void add_knockout_options(CLI::App* command, KnockoutCommand& knockout) {
  knockout::Options& options = knockout.play;
  add_number(command, "--players", options.players,
             "knockout: number of players, 4 or more and a multiple of the number of agents, each of which enters "
             "equally often; 0: each agent once",
             0, kMostPlayers)
      ->capture_default_str();
  add_number(command, "--table-size", options.table_size,
             "knockout: largest number of players at a table; 0: three in OFC, six in other games", 0, kMostSeats)
      ->capture_default_str();
  add_number(command, "--stack", options.stack,
             "knockout: initial chips or points of each player; default: those of the game", 1, kMostStack);
  add_number(command, "--raise-every", options.raise_every,
             "knockout: raise the stakes each time this many hands have been played: OFC points count double, then "
             "triple and so on; bets and blinds of other games double; 0: never",
             0, kMostHands)
      ->capture_default_str();
  add_number(command, "--max-hands", options.hands,
             "knockout: end a tournament after this many hands; the remaining players are placed by chips", 1,
             kMostHands)
      ->capture_default_str();
  add_number(command, "--tournaments", options.tournaments,
             "knockout: number of tournaments; each is repeated once for every agent, with the agents rotating through "
             "the seats",
             1, kMostTournaments)
      ->capture_default_str();
  add_text(command, "--hands-log", knockout.log, "knockout: write the result of every hand to this file",
           "the path of a file");
  command->add_flag_callback(
      "--no-duplicate", [&options] { options.duplicate = false; },
      "knockout: play every tournament only once, with the seatings in rotation");
}

std::string knockout_option_given(const CLI::App& command) {
  for (const char* const name : kOptions)
    if (command.count(name) > 0) return name;
  return {};
}

void run_knockout(const KnockoutCommand& command) {
  knockout::Options options = command.play;
  Progress progress("tournaments", options.tournaments, ProgressOptions::standard("tournaments", command.quiet));
  options.progress = [&](std::int64_t done) { progress.update(done); };
  options.decided = [&](std::int64_t decisions) { progress.count_decisions(decisions); };
  options.stop = InterruptGuard::requested;
  // No files are written before all checks.
  std::unique_ptr<LogFile> log;
  if (!command.log.empty()) options.log = [&](std::string_view text) { log->write(text); };
  options.begin = [&](const knockout::Kept& kept) {
    if (!command.log.empty() && kept.tournaments < options.tournaments)
      log = std::make_unique<LogFile>(command.log, logged(command, kept));
  };
  options.on_result = [&](const knockout::Result& result) {
    progress.finish();
    if (command.json)
      print_json(to_json(result));
    else
      print_knockout(result);
    flush_output();
  };
  const InterruptGuard guard;
  const knockout::Result result = knockout::play(options);
  if (!command.json && !options.folder.empty())
    print(fmt::format("\nreport  {}\n", (options.folder / "report.html").string()));
  if (!result.interrupted && result.counted() == 0) {
    flush_output();
    throw Error("nothing was measured: an agent failed in every tournament");
  }
  if (!result.interrupted) return;
  end_interrupted(fmt::format("interrupted after {} of {}; the result covers these{}", result.tournaments,
                              counted(options.tournaments, "tournament"),
                              options.folder.empty() ? "" : ", the same command continues"));
}

}  // namespace dealer::cli
