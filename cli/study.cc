#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "arena/studies/run.h"
#include "cli/commands.h"
#include "cli/interrupted.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/study_progress.h"
#include "cli/study_sweep.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

struct StudyArguments {
  std::vector<std::string> words;  // a study, then overrides
  SweepOptions shared;             // `sweep` empty: the study itself
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

// The study and its overrides.
SweepOptions named(const StudyArguments& options) {
  const std::string& name = options.words.front();
  if (name.find('=') != std::string::npos)
    throw UsageError(fmt::format("'{}' is no study; expected the name of one before its overrides", name));
  const std::vector<std::string> overrides(options.words.begin() + 1, options.words.end());
  for (const std::string& word : overrides)
    if (word.find('=') == std::string::npos)
      throw UsageError(fmt::format("'{}' is no override; expected key=value after the study", word));
  SweepOptions all = options.shared;
  all.study = name;
  all.overrides = overrides;
  return all;
}

void print_study(const studies::StudyOutcome& outcome) {
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
    end_interrupted("stopped after all deals, with more to do; the same command goes on");
  if (outcome.interrupted)
    end_interrupted(
        fmt::format("stopped after {} of {} deals; the same command goes on", outcome.deals, job.all_deals()));
  if (study.json) return print_json(outcome.results);
  print_study(outcome);
}

}  // namespace

void add_study(CLI::App& program) {
  const auto options = std::make_shared<StudyArguments>();
  CLI::App* command =
      add_command(program, "study",
                  "Studies how an agent plays a game: figures with intervals, and a report; alone, lists the studies",
                  {"dealer study", "dealer study seven_hand --out studies/seven_hand",
                   "dealer study seven_hand --out studies/random agent=random deals=200 tries=0 responses=0",
                   "dealer study seven_hand --out studies/ties agent=rule deals=200 tries=0 responses=0 --sweep "
                   "game.ties=nobody,first_mover"});
  command->add_option("STUDY", options->words,
                      "A file of configs/studies by name or a path, then overrides: key=value");
  add_text(command, "--out", options->shared.out,
           "The folder of results.json and report.html; the same command goes on with a study that was stopped",
           "the path of a folder");
  add_text(command, "--sweep", options->shared.sweep,
           "Carries the study out for each value of a rule: game.KEY=V1,V2,..., or of another of its keys",
           "KEY=V1,V2,...");
  add_text(command, "--train-budget", options->shared.budget,
           "With --sweep: trains an agent for each value, for so long (90s, 10m, 2h); left out, the agents of "
           "the study play",
           "a time, as 90s, 10m or 2h");
  add_text(command, "--train-config", options->shared.config,
           "With --train-budget: a file of configs/train by name or a path; left out, the quick one of the game",
           "a training config");
  add_number(command, "--condition", options->shared.condition,
             "With --sweep, in Open-Face Chinese poker: for each value measures in so many deals what Fantasyland "
             "is worth, and tells the agents",
             10, 100'000'000);
  command->add_flag("--quiet", options->shared.quiet, "No progress");
  add_json(command, options->shared.json);
  bind(command, options, run_study);
}

}  // namespace dealer::cli
