#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/training.h"

namespace dealer::cli {
namespace {

void run_train(const TrainOptions& options) { need_training().train(options); }

}  // namespace

void add_train(CLI::App& program) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      add_command(program, "train", "Trains an agent by self-play; without a config the quick OFC agent",
                  {"dealer train", "dealer train ofc hands=100000 learner.hidden_sizes=[128,32]",
                   "dealer train my/config.yaml --out runs/mine", "dealer train --resume runs/mine"});
  command->add_option("CONFIG", options->words,
                      "A file of configs/train by name or a path, then overrides: key=value, section.key=value");
  command->add_option("--resume", options->resume, "Go on with the run in this folder, exactly as if never stopped")
      ->check(no_empty("a run folder"));
  command->add_option("--out", options->out, "Make this run folder")->check(no_empty("the path of a folder"));
  command->add_option("--runs", options->runs, "Make a new run folder in here")
      ->check(no_empty("the path of a folder"))
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "No progress");
  add_json(command, options->json);
  bind(command, options, run_train);
}

}  // namespace dealer::cli
