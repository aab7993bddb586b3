#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/tournament_knockout.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

struct Options {
  KnockoutCommand knockout;
  std::string format = "knockout";
};

void run(const Options& options) {
  if (options.format != "knockout") throw UsageError("there is no format '" + options.format + "'; formats: knockout");
  run_knockout(options.knockout);
}

}  // namespace

void add_tournament(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(program, "tournament", "Plays many agents against each other",
                                  {"dealer tournament rule random rule random --format knockout --tournaments 20"});
  command->add_option("AGENT", options->knockout.agents, "Two or more, as of dealer match")->required();
  command->add_option("--game", options->knockout.game, "The game, options in brackets")
      ->check(no_empty("the name of a game"))
      ->capture_default_str();
  command->add_option("--out", options->knockout.out, "The folder of results.json and report.html")
      ->check(no_empty("the path of a folder"));
  command->add_option("--format", options->format, "knockout: tables of a few, players go out, the last one left wins")
      ->capture_default_str();
  command->add_option("--seed", options->knockout.seed, "The same seed deals the same cards")
      ->check(seed_number())
      ->capture_default_str();
  command->add_option("--threads", options->knockout.threads, "0: one for each processor; changes no result")
      ->check(integer(0, 1024))
      ->capture_default_str();
  command->add_flag("--quiet", options->knockout.quiet, "No progress");
  add_knockout_options(command, options->knockout.options);
  add_json(command, options->knockout.json);
  bind(command, options, run);
}

}  // namespace dealer::cli
