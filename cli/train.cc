#include "train/train.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "arena/match.h"
#include "cli/commands.h"
#include "cli/interrupted.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/backend_info.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

struct Options {
  std::vector<std::string> words;  // a config, then overrides; overrides alone change the default config
  std::string resume, out, runs = "runs";
  bool quiet = false;
  bool json = false;
};

// "ofc", "configs/train/ofc.yaml" or a file of one's own.
std::filesystem::path config_path(const std::string& name) {
  return config_file("training config", "configs/train", name);
}

TrainRequest request_of(const Options& options) {
  TrainRequest request;
  request.resume = options.resume;
  request.out = options.out;
  request.runs = options.runs;
  request.quiet = options.quiet;
  for (const std::string& word : options.words) {
    if (word.find('=') != std::string::npos)
      request.overrides.push_back(word);
    else if (request.config.empty() && request.overrides.empty())
      request.config = config_path(word);
    else
      throw UsageError(fmt::format("'{}' is no override; expected key=value after the config", word));
  }
  if (request.config.empty() && request.resume.empty()) request.config = config_path("ofc");
  return request;
}

Evaluation play_evaluation(const AgentFactoryPtr& agent, const std::string& opponent, const GamePtr& game, int deals,
                           std::uint64_t seed) {
  MatchOptions match;
  match.game = game;
  match.agents = {agent};
  while (static_cast<int>(match.agents.size()) < game->players()) match.agents.push_back(make_agents(opponent, game));
  match.deals = deals;
  match.seed = seed;
  match.threads = 0;
  match.strict = true;
  match.stop = InterruptGuard::requested;
  const MatchResult result = play_match(match);
  return {result.agents[0].mean(), result.agents[0].ci95(), to_json(result), result.interrupted};
}

void print_result(const TrainOutcome& outcome) {
  const nlohmann::json& result = outcome.result;
  print(fmt::format("trained {} hands; Fantasyland is worth {:.2f} points\n", result["hands"].get<std::int64_t>(),
                    result["fantasyland_value"].get<double>()));
  if (result.contains("matches")) {
    for (const auto& [opponent, match] : result["matches"].items()) {
      // Nobody knows how far off the mean of a single deal is.
      const nlohmann::json& ci95 = match["ci95"][0];
      print(fmt::format("against {:<8} {:+.2f} ± {} points a hand\n", opponent, match["mean"][0].get<double>(),
                        ci95.is_null() ? "unknown" : fmt::format("{:.2f}", ci95.get<double>())));
    }
  }
  print(fmt::format("run     {}\nagent   {}\n\nPlay against it:  dealer play --agent {}\n", outcome.run.string(),
                    result["model"].get<std::string>(), outcome.run.string()));
}

void run(const Options& options) {
  use_fitting_blas_kernel();
  const TrainOutcome outcome = run_training(request_of(options), play_evaluation);
  if (outcome.interrupted) {
    if (options.json) print_json({{"run", outcome.run.string()}, {"interrupted", true}});
    flush_output();
    throw Interrupted(fmt::format("stopped and saved; go on with: dealer train --resume {}", outcome.run.string()),
                      InterruptGuard::signal());
  }
  if (!options.json) return print_result(outcome);
  nlohmann::ordered_json json = outcome.result;
  json["run"] = outcome.run.string();
  json["interrupted"] = false;
  print_json(json);
}

}  // namespace

void add_train(CLI::App& program) {
  const auto options = std::make_shared<Options>();
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
  bind(command, options, run);
}

}  // namespace dealer::cli
