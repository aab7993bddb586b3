#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "arena/studies/run.h"
#include "arena/studies/sweep/run.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/trainer_process.h"
#include "env/core/config_tree.h"
#include "env/core/counted.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using studies::Sweep;
using studies::SweepTable;
using studies::SweepValue;

// Progress bar and Ctrl-C handling of a study. Must outlive the users of its hooks.
class StudyProgress {
 public:
  StudyProgress(std::string title, std::int64_t deals, bool quiet)
      : title_(std::move(title)), deals_(deals), quiet_(quiet) {}
  studies::StudyHooks hooks() {
    return {.progress = [this](std::int64_t done) { show("deals", done, deals_); },
            .stop = InterruptGuard::requested,
            .work = [this](std::string_view of, std::int64_t done,
                           std::int64_t total) { show(std::string(of), done, total); }};
  }
  void finish() {
    if (progress_) progress_->finish();
  }

 private:
  void show(const std::string& unit, std::int64_t done, std::int64_t total) {
    if (!progress_ || unit != unit_) {
      finish();
      unit_ = unit;
      progress_.emplace(title_, total, ProgressOptions::standard(unit, quiet_), done);
    }
    progress_->update(done);
  }

  std::string title_;
  std::int64_t deals_;
  bool quiet_;
  std::string unit_;
  std::optional<Progress> progress_;
};

struct SweepOptions {
  std::string study;
  std::vector<std::string> overrides;
  std::string sweep;  // KEY=V1,V2,...
  std::string out;
  std::string budget;          // of the training for each value: "10m"; empty: no training
  std::string config;          // training config; empty: the game's quick one
  std::int64_t condition = 0;  // deals of self-play to estimate the rule's value for the agents; 0: none
  bool quiet = false;
  bool json = false;
};

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

// Fit of a training config to the game: equal rules rank first, else equal name and number of players.
int fit(const Game& trained, const Game& game) {
  if (trained.id().rules == game.id().rules) return 3;
  if (trained.name() != game.name()) return 0;
  return trained.players() == game.players() ? 2 : 1;
}

// The quick config for a game; those of the shipped models take long.
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
  config_file("training config", "configs/train", options.config);  // throws if it does not exist
  return options.config;
}

// Errors in the training settings are reported first.
void check_training(const SweepOptions& options) {
  if (options.budget.empty()) return;
  seconds_of(options.budget);
  if (!options.config.empty()) config_file("training config", "configs/train", options.config);
}

// The report's description of the training: "10m with washizu_heads_up".
std::string training_of(const SweepOptions& options, const Sweep& sweep) {
  std::vector<std::string> configs;
  for (const SweepValue& value : sweep.values)
    for (const SweepTable& table : value.tables)
      if (std::string name = config_for(options, table);
          std::find(configs.begin(), configs.end(), name) == configs.end())
        configs.push_back(std::move(name));
  return fmt::format("{} with {}", options.budget, fmt::join(configs, " and "));
}

// Agents are named by their paths, and brackets in a name would be read as options.
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
  // The whole budget is for learning.
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

void print_game(const nlohmann::ordered_json& game, const nlohmann::ordered_json& results) {
  print(fmt::format("{}: {} against itself, {}, {}{}\n", game["game"].get<std::string>(),
                    game["agent"].get<std::string>(), counted(results["deals"].get<std::int64_t>(), "deal"),
                    counted(game["hands"].get<std::int64_t>(), "hand"),
                    game.value("other_rules", false) ? "; the agent was made for other rules" : ""));
}

void print_end(const nlohmann::ordered_json& results, const fs::path& report) {
  print("\n");
  for (const auto& sentence : results["conclusions"]) print("- " + sentence.get<std::string>() + '\n');
  print(fmt::format("\nreport  {}\n", report.string()));
}

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
    end_interrupted(fmt::format("stopped in {}; the same command continues", outcome.stopped));
  if (options.json) return print_json(outcome.results);
  for (const auto& value : outcome.results["values"])
    for (const auto& game : value["games"]) print_game(game, outcome.results);
  print_end(outcome.results, outcome.report);
}

struct StudyArguments {
  std::vector<std::string> words;  // a study, then overrides
  SweepOptions shared;             // `sweep` empty: the study itself
};

// The files of configs/studies, with a description of their kind.
void list_studies(bool as_json) {
  auto list = nlohmann::ordered_json::array();
  for (const std::string& name : config_names("configs/studies")) {
    const studies::StudySummary study = studies::summary_of(name);
    list.push_back({{"name", name}, {"game", study.game}, {"what", study.what}});
  }
  if (as_json) return print_json(list);
  for (const auto& study : list)
    print(fmt::format("{:<14} {}\n", study["name"].get<std::string>(), study["what"].get<std::string>()));
  print("'dealer study NAME --out FOLDER' runs one.\n");
}

// The study and its overrides.
SweepOptions named(const StudyArguments& options) {
  const std::string& name = options.words.front();
  if (name.find('=') != std::string::npos)
    throw UsageError(fmt::format("'{}' is not a study; expected the name of one before its overrides", name));
  const std::vector<std::string> overrides(options.words.begin() + 1, options.words.end());
  for (const std::string& word : overrides)
    if (word.find('=') == std::string::npos)
      throw UsageError(fmt::format("'{}' is not an override; expected key=value after the study", word));
  SweepOptions all = options.shared;
  all.study = name;
  all.overrides = overrides;
  return all;
}

void run_study(const StudyArguments& options) {
  const SweepOptions& shared = options.shared;
  if (options.words.empty()) {
    if (!shared.out.empty() || !shared.sweep.empty())
      throw UsageError(fmt::format("'dealer study': {} is given without a study; 'dealer study' lists them",
                                   shared.out.empty() ? "--sweep" : "--out"));
    return list_studies(shared.json);
  }
  const SweepOptions study = named(options);
  for (const auto& [option, value, needs, needed] :
       {std::tuple("--train-budget", study.budget, "--sweep", study.sweep),
        std::tuple("--train-config", study.config, "--train-budget", study.budget)})
    if (!value.empty() && needed.empty())
      throw UsageError(fmt::format("'dealer study': {} is given without {}", option, needs));
  if (study.condition > 0 && study.sweep.empty())
    throw UsageError("'dealer study': --condition is given without --sweep");
  if (!study.sweep.empty() && study.out.empty())
    throw UsageError("'dealer study': --out is missing; expected the folder of the results");
  if (!study.sweep.empty()) return sweep_study(study);
  const studies::StudyJob job = studies::read_study(study.study, study.overrides);
  if (study.out.empty()) throw UsageError("'dealer study': --out is missing; expected the folder of the results");
  StudyProgress progress("study", job.all_deals(), study.quiet);
  const InterruptGuard guard;
  const studies::StudyOutcome outcome = studies::run_study(job, study.out, progress.hooks());
  progress.finish();
  if (outcome.interrupted && outcome.deals == job.all_deals())
    end_interrupted("stopped after all deals, before the study was complete; the same command continues");
  if (outcome.interrupted)
    end_interrupted(fmt::format("stopped after {} of {}; the same command continues", outcome.deals,
                                counted(job.all_deals(), "deal")));
  if (study.json) return print_json(outcome.results);
  if (outcome.results.contains("games"))
    for (const auto& game : outcome.results["games"]) print_game(game, outcome.results);
  else
    print_game(outcome.results, outcome.results);
  print_end(outcome.results, outcome.report);
}

}  // namespace

void add_study(CLI::App& program) {
  const auto options = std::make_shared<StudyArguments>();
  CLI::App* command = add_command(
      program, "study",
      "Studies how an agent plays a game and writes a report with intervals; without STUDY lists the studies",
      {"dealer study", "dealer study seven_hand --out studies/seven_hand",
       "dealer study seven_hand --out studies/random agent=random deals=200 tries=0 responses=0",
       "dealer study seven_hand --out studies/ties agent=rule deals=200 tries=0 responses=0 --sweep "
       "game.ties=nobody,first_mover"});
  command->add_option("STUDY", options->words,
                      "The study: a name in configs/studies, or a path; then overrides: key=value");
  add_text(command, "--out", options->shared.out,
           "Folder for results.json and report.html; the same command continues a study that was stopped",
           "the path of a folder");
  add_text(command, "--sweep", options->shared.sweep,
           "Repeat the study for each value of a rule, game.KEY=V1,V2,..., or of another key of the study",
           "KEY=V1,V2,...");
  add_text(
      command, "--train-budget", options->shared.budget,
      "With --sweep: train an agent for each value for this time (90s, 10m, 2h); default: the agents of the study play",
      "a time, as 90s, 10m or 2h");
  add_text(command, "--train-config", options->shared.config,
           "With --train-budget: the training config: a name in configs/train, or a path; default: the quick config of "
           "the game",
           "a training config");
  add_number(command, "--condition", options->shared.condition,
             "With --sweep, in Open-Face Chinese poker: measure the worth of Fantasyland under each value of the "
             "rule in this many deals, and give it to the agents",
             10, 100'000'000);
  command->add_flag("--quiet", options->shared.quiet, "Show no progress");
  add_json(command, options->shared.json);
  bind(command, options, run_study);
}

}  // namespace dealer::cli
