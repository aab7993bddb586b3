#include <fmt/format.h>
#include <fmt/ranges.h>

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
    const studies::StudyJob job = studies::read_study(name, {});
    std::vector<std::string> games;
    for (const GamePtr& game : job.games) games.push_back(game->spec());
    list.push_back({{"name", name},
                    {"game", fmt::format("{}", fmt::join(games, ", "))},
                    {"what", studies::study_kinds().find(job.kind)->second.what}});
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
  const auto print_game = [&](const nlohmann::ordered_json& of) {
    print(fmt::format("{}: {} against itself, {} deals, {} hands\n", of["game"].get<std::string>(),
                      of["agent"].get<std::string>(), results["deals"].get<std::int64_t>(),
                      of["hands"].get<std::int64_t>()));
  };
  if (results.contains("games"))
    for (const auto& game : results["games"]) print_game(game);
  else
    print_game(results);
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
  const InterruptGuard guard;
  const studies::StudyOutcome outcome = studies::run_study(job, options.out, hooks);
  progress->finish();
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
