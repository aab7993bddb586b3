#include "cli/study_sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "arena/studies/sweep/run.h"
#include "cli/interrupted.h"
#include "cli/output.h"
#include "cli/study_progress.h"
#include "cli/trainer_process.h"
#include "env/core/config_tree.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using studies::Sweep;
using studies::SweepTable;
using studies::SweepValue;

// "90s", "10m", "2h".
double seconds_of(const std::string& text) {
  constexpr double kLeast = 1, kMost = 30 * 24 * 3600.0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double seconds = value * (unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0);
  if (error == std::errc() && seconds >= kLeast && seconds <= kMost) return seconds;
  throw UsageError(
      fmt::format("--train-budget: '{}' is not allowed; expected a time for each value, as 90s, 10m or 2h", text));
}

// How well the game of a training config fits: its rules are the same, else its name and the number of players.
int fit(const Game& trained, const Game& game) {
  if (trained.id().rules == game.id().rules) return 3;
  if (trained.name() != game.name()) return 0;
  return trained.players() == game.players() ? 2 : 1;
}

// The quick one for a game; those that made what is shipped take long.
std::string quick_config(const std::string& spec) {
  const GamePtr game = make_game(spec);
  std::string best;
  int best_fit = 0;
  for (const std::string& name : config_names("configs/train")) {
    if (name.ends_with("_default") || name == "best_response") continue;
    Config config = Config::load(data_path(fmt::format("configs/train/{}.yaml", name)), "configs/train");
    const int own = fit(*make_game(config.get_string("game", "ofc")), *game);
    if (own > best_fit) best = name;
    best_fit = std::max(best_fit, own);
  }
  if (best.empty())
    throw UsageError(
        fmt::format("--train-budget: no training config is for '{}'; expected --train-config, or agents "
                    "that play it",
                    spec));
  return best;
}

std::string config_for(const SweepOptions& options, const SweepTable& table) {
  if (options.config.empty()) return quick_config(table.base);
  config_file("training config", "configs/train", options.config);  // or says what there is
  return options.config;
}

// What is wrong with how it is to be trained is said first.
void check_training(const SweepOptions& options) {
  if (options.budget.empty()) return;
  seconds_of(options.budget);
  if (!options.config.empty()) config_file("training config", "configs/train", options.config);
}

// What the report says of the training: "10m with washizu_heads_up".
std::string training_of(const SweepOptions& options, const Sweep& sweep) {
  std::vector<std::string> configs;
  for (const SweepValue& value : sweep.values)
    for (const SweepTable& table : value.tables)
      if (std::string name = config_for(options, table);
          std::find(configs.begin(), configs.end(), name) == configs.end())
        configs.push_back(std::move(name));
  return fmt::format("{} with {}", options.budget, fmt::join(configs, " and "));
}

// The agents are named by their paths, and brackets in a name are options.
void check_path(const SweepOptions& options) {
  if (options.budget.empty() || options.out.find('[') == std::string::npos) return;
  throw UsageError(
      fmt::format("--out: '{}' cannot be part of the name of an agent; expected a path without brackets "
                  "for a sweep that trains",
                  options.out));
}

std::optional<std::string> trained_agent(const SweepOptions& options, const SweepTable& table, const fs::path& run) {
  const fs::path model = run / "model.safetensors";
  std::error_code unreadable;
  if (fs::exists(model, unreadable)) return model.string();
  TrainerJob job;
  job.config = config_for(options, table);
  // All of the time is for learning.
  job.overrides = {"game=" + yaml_quoted(table.game),
                   fmt::format("budget.seconds={}", seconds_of(options.budget)),
                   "evaluation.deals=0",
                   "evaluation.final_deals=0",
                   "evaluation.exploitability=false",
                   "evaluation.ship=last"};
  job.run = run;
  job.quiet = options.quiet;
  if (!train_in_process(job)) return std::nullopt;
  return model.string();
}

void print_sweep(const studies::SweepOutcome& outcome) {
  for (const auto& value : outcome.results["values"])
    for (const auto& game : value["games"])
      print(fmt::format("{}: {} against itself, {} deals, {} hands{}\n", game["game"].get<std::string>(),
                        game["agent"].get<std::string>(), outcome.results["deals"].get<std::int64_t>(),
                        game["hands"].get<std::int64_t>(),
                        game["other_rules"].get<bool>() ? "; the agent was made for other rules" : ""));
  print("\n");
  for (const auto& sentence : outcome.results["conclusions"]) print("- " + sentence.get<std::string>() + '\n');
  print(fmt::format("\nreport  {}\n", outcome.report.string()));
}

}  // namespace

void sweep_study(const SweepOptions& options) {
  studies::SweepRequest request;
  request.study = options.study;
  request.overrides = options.overrides;
  request.training = options.budget;
  request.condition_deals = options.condition;
  check_training(options);
  studies::read_key_and_values(options.sweep, request);
  check_path(options);
  Sweep sweep = studies::make_sweep(request);
  if (sweep.trains()) sweep.request.training = training_of(options, sweep);
  std::optional<StudyProgress> progress;
  studies::SweepHooks hooks;
  hooks.study = [&](const SweepValue& value, const studies::StudyJob& job) {
    if (progress) progress->finish();
    progress.emplace(value.name, job.all_deals(), options.quiet);
    return progress->hooks();
  };
  hooks.stop = InterruptGuard::requested;
  hooks.train = [&](const SweepValue&, const SweepTable& table, const fs::path& run) {
    if (progress) progress->finish();
    return trained_agent(options, table, run);
  };
  const InterruptGuard guard;
  const studies::SweepOutcome outcome = studies::run_sweep(sweep, options.out, hooks);
  if (progress) progress->finish();
  if (!outcome.stopped.empty())
    end_interrupted(fmt::format("stopped in {}; the same command goes on", outcome.stopped));
  if (options.json) return print_json(outcome.results);
  print_sweep(outcome);
}

}  // namespace dealer::cli
