#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "arena/output.h"
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "cli/commands.h"
#include "cli/learning_curve.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/sweep_settings.h"
#include "cli/trainer_process.h"
#include "cli/training.h"
#include "env/core/files.h"
#include "env/core/registry.h"
#include "env/core/version.h"
#include "train/interrupt.h"
#include "train/metrics.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using studies::Estimate;

struct SweepArguments {
  std::vector<std::string> words;
  std::string out;
  int jobs = 1;
  bool commands = false, quiet = false, json = false;
};

// A run's final result: matches against one opponent, or its exploitability.
struct Outcome {
  const SweepRun* run = nullptr;
  LearningCurve curve;
  Estimate result;
};

struct Setting {
  std::string text;
  std::vector<const Outcome*> runs;
  Estimate result;
};

// True if it has its final results.
bool finished(const fs::path& run) {
  if (!fs::exists(run / kMetricsFile)) return false;
  const std::vector<MetricLine> lines = read_metrics(run);
  return !lines.empty() &&
         std::ranges::any_of(lines.back().metrics, [](const Metric& each) { return each.first.starts_with("final/"); });
}

// A word of a command line for a POSIX shell.
std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char sign : word) quoted += sign == '\'' ? std::string("'\\''") : std::string(1, sign);
  return quoted + "'";
}

std::string command_of(const std::string& config, const SweepRun& run, const fs::path& folder) {
  std::string command = "dealer train";
  if (fs::exists(folder / "config.yaml")) return command + " --resume " + shell_quoted(folder.string());
  command += " " + shell_quoted(config);
  for (const std::string& override : run.overrides) command += " " + shell_quoted(override);
  return command + " --out " + shell_quoted(folder.string());
}

// The folders of runs have the names of their settings alone, so the folder of the sweep keeps the config.
void keep_config(const SweepArguments& options) {
  const fs::path kept = fs::path(options.out) / "base.yaml";
  const std::string text = read_file(config_file("training config", "configs/train", options.words.front()));
  if (!fs::exists(kept)) {
    fs::create_directories(options.out);
    write_file(kept, text);
  } else if (read_file(kept) != text) {
    throw UsageError(fmt::format("'{}' holds a sweep of another config, {}; expected a new folder, or that config",
                                 options.out, kept.string()));
  }
}

// Other signs than letters and digits become '_' in the names of folders.
void refuse_equal_names(const std::vector<SweepRun>& runs) {
  std::map<std::string, const SweepRun*> known;
  for (const SweepRun& run : runs)
    if (const auto [other, is_new] = known.try_emplace(run.name(), &run); !is_new)
      throw UsageError(
          fmt::format("'{}' and '{}' would have one folder, {}; expected values that differ in letters or digits",
                      fmt::join(other->second->overrides, " "), fmt::join(run.overrides, " "), run.name()));
}

// Before hours of training, not after.
void check_runs(const std::string& config, const std::vector<SweepRun>& runs) {
  std::optional<TrainingPlan> first;
  for (const SweepRun& run : runs) {
    const TrainingPlan plan = need_training().check(config, run.overrides);
    if (plan.measure.empty())
      throw UsageError(
          fmt::format("{} {}: the run would have no final result to compare; expected evaluation.final_deals above 0 "
                      "and an opponent",
                      config, fmt::join(run.overrides, " ")));
    if (!first) first = plan;
    if (plan.game->spec() != first->game->spec() || plan.measure != first->measure)
      throw UsageError(
          fmt::format("'{}' would be measured by {} at '{}', but '{}' by {} at '{}'; expected runs of one "
                      "game and one measure",
                      fmt::join(runs.front().overrides, " "), first->measure, first->game->spec(),
                      fmt::join(run.overrides, " "), plan.measure, plan.game->spec()));
  }
}

// False when it was interrupted.
bool train_all(const std::vector<const SweepRun*>& runs, const SweepArguments& options) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i; !stopped && (i = next++) < runs.size();) {
      const SweepRun& run = *runs[i];
      if (!options.quiet) notify(fmt::format("run {} of {}: {}", i + 1, runs.size(), fmt::join(run.overrides, " ")));
      try {
        // Progress bars of several trainings on one terminal would overwrite each other.
        if (!train_in_process({options.words.front(), run.overrides, fs::path(options.out) / run.name(),
                               options.quiet || options.jobs > 1}))
          stopped = true;
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        stopped = true;
      }
    }
  };
  std::vector<std::thread> others;
  for (int job = 1; job < std::min<int>(options.jobs, static_cast<int>(runs.size())); ++job) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
  return !stopped;
}

Outcome outcome_of(const SweepRun& run, const fs::path& folder) {
  Outcome outcome{&run, read_learning_curve(folder), {}};
  outcome.curve.run = run.seed.empty() ? run.setting : fmt::format("{}, seed {}", run.setting, run.seed);
  const std::vector<MetricLine> lines = read_metrics(folder);
  const MetricLine last = lines.empty() ? MetricLine() : lines.back();
  const std::string name = outcome.curve.against.empty() ? "final/exploitability" : "final/" + outcome.curve.against;
  outcome.result.value = last.find(name);
  if (!std::isfinite(outcome.result.value))
    throw UsageError(fmt::format("{}: the run has no final result to compare; expected evaluation.final_deals above 0",
                                 folder.string()));
  outcome.result.ci95 = outcome.curve.against.empty() ? 0 : last.find(name + "_ci95");
  outcome.result.count = 1;
  return outcome;
}

std::vector<Setting> settings_of(const std::vector<Outcome>& outcomes) {
  std::vector<Setting> settings;
  for (const Outcome& outcome : outcomes) {
    auto found = std::ranges::find(settings, outcome.run->setting, &Setting::text);
    if (found == settings.end()) found = settings.insert(settings.end(), Setting{outcome.run->setting, {}, {}});
    found->runs.push_back(&outcome);
  }
  for (Setting& setting : settings) {
    ClusteredRatio seeds;
    for (const Outcome* run : setting.runs) seeds.add(run->result.value, 1);
    setting.result = setting.runs.size() == 1
                         ? setting.runs.front()->result
                         : Estimate{seeds.ratio(), seeds.half_width95(), static_cast<double>(setting.runs.size())};
  }
  return settings;
}

std::string report_of(const SweepArguments& options, const std::vector<Outcome>& outcomes,
                      const std::vector<Setting>& settings) {
  const std::string unit = outcomes.front().curve.unit();
  studies::Page page(
      fmt::format("Sweep of {}", options.words.front()),
      fmt::format("{} trainings of {}: {}.", outcomes.size(), outcomes.front().curve.game->spec(), unit));
  studies::DotChart chart;
  chart.what = "The result of each setting, with its 95% interval.";
  chart.axis = unit;
  chart.series = {"result"};
  studies::Cells cells = {{"Setting", unit, "Seeds", "Each"}};
  for (const Setting& setting : settings) {
    chart.rows.push_back({setting.text, {setting.result}});
    std::vector<std::string> each;
    for (const Outcome* run : setting.runs) each.push_back(studies::text_of(run->result, studies::Unit::kNumber));
    cells.push_back({setting.text, studies::text_of(setting.result, studies::Unit::kNumber),
                     std::to_string(setting.runs.size()), fmt::format("{}", fmt::join(each, "; "))});
  }
  page.figure(studies::dot_chart(chart), chart.what, {});
  page.table(cells);
  page.heading("While they learned");
  std::vector<LearningCurve> curves;
  for (const Outcome& outcome : outcomes) curves.push_back(outcome.curve);
  page.markup(studies::curve_picture(chart_of(curves, CurveAxis::kHands)));
  return page.finish(
      fmt::format("dealer {}. Intervals over several seeds are of the mean (Student's t), else of the "
                  "final matches.",
                  version()));
}

nlohmann::ordered_json json_of(const SweepArguments& options, const std::vector<Outcome>& outcomes,
                               const std::vector<Setting>& settings, const fs::path& report) {
  auto list = nlohmann::ordered_json::array();
  for (const Setting& setting : settings) {
    auto runs = nlohmann::ordered_json::array();
    for (const Outcome* run : setting.runs)
      runs.push_back({{"run", (fs::path(options.out) / run->run->name()).string()},
                      {"seed", run->run->seed},
                      {"value", run->result.value},
                      {"ci95", number_or_null(run->result.ci95)}});
    list.push_back({{"setting", setting.text},
                    {"seeds", setting.runs.size()},
                    {"value", setting.result.value},
                    {"ci95", number_or_null(setting.result.ci95)},
                    {"runs", runs}});
  }
  const LearningCurve& any = outcomes.front().curve;
  return {
      {"config", options.words.front()}, {"measure", any.against.empty() ? "exploitability" : "match/" + any.against},
      {"unit", any.game->unit()},        {"settings", list},
      {"report", report.string()},       {"interrupted", false}};
}

void print_settings(const std::vector<Setting>& settings, const std::string& unit) {
  std::size_t width = std::string("setting").size();
  for (const Setting& setting : settings) width = std::max(width, setting.text.size());
  print(fmt::format("{:<{}}  {:>5}  {}\n", "setting", width, "seeds", unit));
  for (const Setting& setting : settings)
    print(fmt::format("{:<{}}  {:>5}  {}\n", setting.text, width, setting.runs.size(),
                      studies::text_of(setting.result, studies::Unit::kNumber)));
}

void run_sweep(const SweepArguments& options) {
  const std::vector<SweepRun> runs = sweep_runs(std::span(options.words).subspan(1));
  refuse_equal_names(runs);
  std::vector<const SweepRun*> left;
  for (const SweepRun& run : runs)
    if (!finished(fs::path(options.out) / run.name())) left.push_back(&run);
  if (!left.empty()) check_runs(options.words.front(), runs);
  keep_config(options);
  if (options.commands) {
    for (const SweepRun* run : left)
      print(command_of(options.words.front(), *run, fs::path(options.out) / run->name()) + "\n");
    return;
  }
  const InterruptGuard guard;
  if (!train_all(left, options)) end_interrupted("interrupted; the same command continues from here");
  std::vector<Outcome> outcomes;
  for (const SweepRun& run : runs) outcomes.push_back(outcome_of(run, fs::path(options.out) / run.name()));
  const std::vector<Setting> settings = settings_of(outcomes);
  const fs::path report = fs::path(options.out) / "report.html";
  write_file(report, report_of(options, outcomes, settings));
  if (options.json) return print_json(json_of(options, outcomes, settings, report));
  print_settings(settings, outcomes.front().curve.unit());
  print(fmt::format("report  {}\n", report.string()));
}

}  // namespace

void add_sweep(CLI::App& program) {
  const auto options = std::make_shared<SweepArguments>();
  CLI::App* command =
      add_command(program, "sweep", "Trains a config once for each combination of settings, and compares the results",
                  {"dealer sweep kuhn learner.learning_rate.first=0.001,0.003 seed=1..3 --out sweeps/rate",
                   "dealer sweep ofc 'learner.hidden_sizes=[64,32],[128,32]' hands=100000 --out sweeps/width --jobs 2",
                   "dealer sweep draw seed=1..8 --out sweeps/draw --commands"});
  command
      ->add_option("CONFIG", options->words,
                   "The training config: a name in configs/train, or a path; then settings: key=a,b,c or key=1..3")
      ->required();
  add_text(command, "--out", options->out, "Folder for the runs and the report", "the path of a folder")->required();
  add_number(command, "--jobs", options->jobs, "Number of simultaneous training runs", 1, 256)->capture_default_str();
  command->add_flag("--commands", options->commands,
                    "Train nothing; print the command of each unfinished run, for use on other machines");
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_json(command, options->json);
  bind(command, options, run_sweep);
}

}  // namespace dealer::cli
