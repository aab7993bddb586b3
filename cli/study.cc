#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/studies/run.h"
#include "cli/commands.h"
#include "cli/interrupted.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct Options {
  std::vector<std::string> words;  // a study, then overrides
  std::string out;
  bool quiet = false;
  bool json = false;
};

// The files of configs/studies, with what their kind is about.
void list_studies(bool as_json) {
  auto list = nlohmann::ordered_json::array();
  for (const std::string& name : config_names("configs/studies")) {
    const studies::StudySummary study = studies::summary_of(name);
    list.push_back({{"name", name}, {"game", study.game}, {"what", study.what}});
  }
  if (as_json) return print_json(list);
  for (const auto& study : list)
    print(fmt::format("{:<14} {}\n", study["name"].get<std::string>(), study["what"].get<std::string>()));
  print("'dealer study NAME --out FOLDER' carries one out.\n");
}

studies::StudyJob job_of(const Options& options) {
  const std::string& name = options.words.front();
  if (name.find('=') != std::string::npos)
    throw UsageError(fmt::format("'{}' is no study; expected the name of one before its overrides", name));
  const std::vector<std::string> overrides(options.words.begin() + 1, options.words.end());
  for (const std::string& word : overrides)
    if (word.find('=') == std::string::npos)
      throw UsageError(fmt::format("'{}' is no override; expected key=value after the study", word));
  return studies::read_study(name, overrides);
}

void print_outcome(const studies::StudyOutcome& outcome) {
  const nlohmann::ordered_json& results = outcome.results;
  const auto say = [](const nlohmann::ordered_json& game, std::int64_t deals) {
    print(fmt::format("{}: {} against itself, {} deals, {} hands\n", game["game"].get<std::string>(),
                      game["agent"].get<std::string>(), deals, game["hands"].get<std::int64_t>()));
  };
  const auto deals = results["deals"].get<std::int64_t>();
  if (results.contains("games"))
    for (const auto& game : results["games"]) say(game, deals);
  else
    say(results, deals);
  print("\n");
  for (const auto& sentence : results["conclusions"]) print("- " + sentence.get<std::string>() + '\n');
  print(fmt::format("\nreport  {}\n", outcome.report.string()));
}

void run(const Options& options) {
  if (options.words.empty()) {
    if (!options.out.empty())
      throw UsageError("'dealer study': --out is given without a study; 'dealer study' lists them");
    return list_studies(options.json);
  }
  const studies::StudyJob job = job_of(options);
  if (options.out.empty()) throw UsageError("'dealer study': --out is missing; expected the folder of the results");
  std::optional<Progress> progress;
  studies::StudyHooks hooks;
  hooks.progress = [&](std::int64_t done) {
    if (!progress) progress.emplace("study", job.all_deals(), ProgressOptions::standard("deals", options.quiet), done);
    progress->update(done);
  };
  hooks.stop = InterruptGuard::requested;
  std::string unit;
  hooks.work = [&](std::string_view of, std::int64_t done, std::int64_t total) {
    if (of != unit) {
      if (progress) progress->finish();
      unit = of;
      progress.emplace("study", total, ProgressOptions::standard(unit, options.quiet), done);
    }
    progress->update(done);
  };
  const InterruptGuard guard;
  const studies::StudyOutcome outcome = studies::run_study(job, options.out, hooks);
  progress->finish();
  if (outcome.interrupted && outcome.deals == job.all_deals())
    throw Interrupted("stopped after all deals, with more to do; the same command goes on", InterruptGuard::signal());
  if (outcome.interrupted)
    throw Interrupted(
        fmt::format("stopped after {} of {} deals; the same command goes on", outcome.deals, job.all_deals()),
        InterruptGuard::signal());
  if (options.json) return print_json(outcome.results);
  print_outcome(outcome);
}

}  // namespace

void add_study(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(program, "study",
                  "Studies how an agent plays a game: figures with intervals, and a report; alone, lists the studies",
                  {"dealer study", "dealer study seven_hand --out studies/seven_hand",
                   "dealer study seven_hand --out studies/random agent=random deals=200"});
  command->add_option("STUDY", options->words,
                      "A file of configs/studies by name or a path, then overrides: key=value");
  command
      ->add_option("--out", options->out,
                   "The folder of results.json and report.html; the same command goes on with a study that was stopped")
      ->check(no_empty("the path of a folder"));
  command->add_flag("--quiet", options->quiet, "No progress");
  add_json(command, options->json);
  bind(command, options, run);
}

}  // namespace dealer::cli
