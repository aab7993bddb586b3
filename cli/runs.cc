#include "cli/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/output.h"
#include "cli/commands.h"
#include "cli/learning_curve.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "train/metrics.h"
#include "train/progress.h"
#include "train/run_folder.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;

struct RunsArguments {
  std::string folder = "runs";
  bool json = false;
};

struct Run {
  LearningCurve curve;
  std::string state;  // "running", "finished" or "stopped"
  double age = 0;     // seconds since the last update
};

Run read_run(const fs::path& folder) {
  Run run{read_learning_curve(folder), "stopped", 0};
  if (RunFolder::in_use(folder))
    run.state = "running";
  else if (fs::exists(folder / "model.safetensors") && run.curve.played >= run.curve.planned)
    run.state = "finished";
  run.age = std::chrono::duration<double>(fs::file_time_type::clock::now() - fs::last_write_time(folder / kMetricsFile))
                .count();
  return run;
}

// The readable runs, the newest first.
std::vector<Run> read_runs(const fs::path& folder, const std::function<void(const std::string&)>& warn) {
  std::vector<Run> runs;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!fs::exists(entry.path() / kMetricsFile)) continue;
    try {
      runs.push_back(read_run(entry.path()));
    } catch (const Error& error) {
      warn(fmt::format("warning: {}", error.what()));
    }
  }
  std::ranges::sort(runs, {}, &Run::age);
  return runs;
}

nlohmann::ordered_json to_json(const std::vector<Run>& runs) {
  auto json = nlohmann::ordered_json::array();
  for (const Run& run : runs) {
    nlohmann::ordered_json each = {{"run", run.curve.run},         {"game", run.curve.game->spec()},
                                   {"state", run.state},           {"hands", run.curve.played},
                                   {"planned", run.curve.planned}, {"age_seconds", run.age}};
    if (!run.curve.points.empty()) {
      const studies::Estimate& last = run.curve.points.back().strength;
      each["measure"] = run.curve.against.empty() ? "exploitability" : "match/" + run.curve.against;
      each["value"] = last.value;
      each["ci95"] = last.ci95;
    }
    json.push_back(std::move(each));
  }
  return json;
}

void run_runs(const RunsArguments& options) {
  if (!fs::is_directory(options.folder))
    throw UsageError(fmt::format(
        "there is no folder {}; expected one with run folders in it, as dealer train makes them", options.folder));
  const std::vector<Run> runs = read_runs(options.folder, notify);
  if (options.json) return print_json(to_json(runs));
  if (runs.empty()) return print(fmt::format("There is no run in {} yet: dealer train creates one.\n", options.folder));
  std::vector<std::vector<std::string>> rows = {{"run", "game", "hands", "of", "state", "age", "strength"}};
  for (const Run& run : runs)
    rows.push_back({run.curve.run, run.curve.game->spec(), short_count(static_cast<double>(run.curve.played)),
                    short_count(static_cast<double>(run.curve.planned)), run.state, short_duration(run.age),
                    strength_text(run.curve)});
  print(text_table(rows, [](std::size_t column) { return column == 2 || column == 3 || column == 5; }));
}

}  // namespace

nlohmann::ordered_json runs_json(const std::filesystem::path& folder) {
  if (!fs::is_directory(folder)) return nlohmann::ordered_json::array();
  return to_json(read_runs(folder, [](const std::string&) {}));
}

void add_runs(CLI::App& program) {
  const auto options = std::make_shared<RunsArguments>();
  CLI::App* command =
      add_command(program, "runs", "Lists the runs of dealer train: game, hands played, last evaluation, age",
                  {"dealer runs", "dealer runs my/runs --json"});
  command->add_option("FOLDER", options->folder, "The folder that contains the run folders")->capture_default_str();
  add_json(command, options->json);
  bind(command, options, run_runs);
}

}  // namespace dealer::cli
