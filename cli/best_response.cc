#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/training.h"

namespace dealer::cli {
namespace {

void run(const BestResponseOptions& options) { need_training().best_response(options); }

}  // namespace

void add_best_response(CLI::App& program) {
  const auto options = std::make_shared<BestResponseOptions>();
  CLI::App* command =
      add_command(program, "best-response",
                  "Trains against an agent that does not change: how much can be gained from it, at least",
                  {"dealer best-response --game leduc --against rule",
                   "dealer best-response --game draw --against default hands=2000000 --json"});
  command->add_option("--game", options->game, "What is played, with options in brackets")
      ->required()
      ->check(no_empty("a game"));
  command->add_option("--against", options->against, "The agent, which sits in all other seats")
      ->required()
      ->check(no_empty("an agent"));
  command->add_option("OVERRIDE", options->words, "key=value over the training config");
  command->add_option("--config", options->config, "Another training config: a name in configs/train or a path")
      ->check(no_empty("a training config"))
      ->capture_default_str();
  command->add_option("--deals", options->deals, "Fresh deals on which the gain is measured, in every seating")
      ->check(integer(2, 10'000'000))
      ->capture_default_str();
  command->add_option("--out", options->out, "Make this run folder")->check(no_empty("the path of a folder"));
  command->add_option("--runs", options->runs, "Make a new run folder in here")
      ->check(no_empty("the path of a folder"))
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "No progress");
  add_json(command, options->json);
  bind(command, options, run);
}

}  // namespace dealer::cli
