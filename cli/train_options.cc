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
      add_command(program, "train", "Trains an agent by self-play; without CONFIG a quick OFC agent (config ofc)",
                  {"dealer train", "dealer train ofc hands=100000 learner.hidden_sizes=[128,32]",
                   "dealer train my/config.yaml --out runs/mine", "dealer train --resume runs/mine",
                   "dealer train --resume runs/mine hands=1000000"});
  command->add_option(
      "CONFIG", options->words,
      "The training config: a name in configs/train, or a path; then overrides: key=value, section.key=value");
  CLI::Option* const resume =
      add_text(command, "--resume", options->resume,
               "Resume the run in this folder, as if it had never stopped; hands=N extends it to N hands in all",
               "a run folder");
  add_text(command, "--out", options->out, "Create this run folder", "the path of a folder")->excludes(resume);
  add_text(command, "--runs", options->runs, "Create a new run folder in this folder", "the path of a folder")
      ->capture_default_str();
  command
      ->add_flag("--check", options->check, "Train nothing: check the config and print it with all its default values")
      ->excludes(resume);
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_json(command, options->json);
  bind(command, options, run_train);
}

}  // namespace dealer::cli
