#include "arena/studies/sweep/run.h"

#include <fmt/format.h>

#include <map>
#include <system_error>
#include <utility>

#include "arena/folder.h"
#include "arena/lines_file.h"
#include "arena/studies/sweep/condition.h"
#include "arena/studies/sweep/report.h"
#include "env/core/config_tree.h"
#include "env/core/counted.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/version.h"

namespace dealer::studies {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The settings that identify a sweep, except those stored in the folders of its studies.
std::string config_of(const Sweep& sweep) {
  std::string text = fmt::format("sweep: {}\nvalues:\n", yaml_text(sweep.request.key));
  for (const SweepValue& value : sweep.values) text += fmt::format("- {}\n", yaml_text(value.value));
  text += fmt::format("training: {}\n", sweep.trains() ? yaml_text(sweep.request.training) : "none");
  if (sweep.conditions()) text += fmt::format("condition: {}\n", sweep.request.condition_deals);
  text += fmt::format("study: {}\n", yaml_text(sweep.request.study));
  text += "overrides:\n";
  for (const std::string& word : sweep.request.overrides)
    if (!word.starts_with("threads=")) text += fmt::format("- {}\n", yaml_text(word));
  return text;
}

// The finished studies, by folder, each with the checksum of its results.json.
class FinishedValues {
 public:
  explicit FinishedValues(const fs::path& sweep) : sweep_(sweep), file_(sweep / "values.txt", std::string(kUnit)) {
    LinesFile::read(sweep / "values.txt", kUnit, [&](std::string_view line) {
      const std::size_t space = line.find(' ');
      if (space == std::string_view::npos) return false;
      sums_[std::string(line.substr(space + 1))] = line.substr(0, space);
      return true;
    });
  }

  // The results of a study finished by this version of the program; nullopt if they have been altered.
  std::optional<Json> results(const StudyJob& job, const std::string& value) const {
    const auto sum = sums_.find(value);
    std::error_code unreadable;
    if (!fs::exists(sweep_ / value / kStudyNames.config, unreadable)) return std::nullopt;
    const StudyFolder folder(sweep_ / value, job.config);  // rejects the folder of another study
    if (sum == sums_.end() || !fs::exists(folder.results(), unreadable) || !fs::exists(folder.report(), unreadable))
      return std::nullopt;
    const std::string text = read_file(folder.results());
    if (sum_of(text) != sum->second) return std::nullopt;
    Json results = Json::parse(text, nullptr, false);
    if (!results.is_object() || results.value("version", "") != version()) return std::nullopt;
    return results;
  }

  void add(const std::string& value) {
    const std::string sum = sum_of(read_file(sweep_ / value / "results.json"));
    file_.append(fmt::format("{} {}\n", sum, value), file_.done() + 1);
  }

 private:
  static constexpr std::string_view kUnit = "values";
  static std::string sum_of(std::string_view text) { return fmt::format("{:08x}", crc32c(text)); }

  const fs::path& sweep_;
  LinesFile file_;
  std::map<std::string, std::string> sums_;
};

SweepPlayed::Game played_game(const Json& of, const GamePtr& game) {
  SweepPlayed::Game played;
  played.game = of["game"];
  played.agent = of["agent"];
  played.hands = of["hands"];
  played.other_rules = trained_for_other_rules(played.agent, *game);
  return played;
}

std::vector<SweepPlayed::Game> played_games(const Json& results, const StudyJob& job) {
  if (!results.contains("games")) return {played_game(results, job.tables.front().game)};
  std::vector<SweepPlayed::Game> games;
  for (const Json& of : results["games"]) games.push_back(played_game(of, job.tables[games.size()].game));
  return games;
}

Json json_of(const Sweep& sweep, const SweepPlayed& played, const std::vector<SweepFigure>& figures) {
  Json json;
  json["study"] = sweep.request.study;
  json["sweep"] = sweep.request.key;
  json["training"] = sweep.trains() ? Json(sweep.request.training) : Json(nullptr);
  json["condition"] = sweep.conditions() ? Json(sweep.request.condition_deals) : Json(nullptr);
  json["deals"] = played.deals;
  json["seed"] = played.seed;
  json["version"] = played.version;
  json["values"] = Json::array();
  for (std::size_t v = 0; v < sweep.values.size(); ++v) {
    Json games = Json::array();
    for (const SweepPlayed::Game& game : played.values[v])
      games.push_back(
          {{"game", game.game}, {"agent", game.agent}, {"hands", game.hands}, {"other_rules", game.other_rules}});
    json["values"].push_back(
        {{"value", sweep.values[v].value}, {"folder", sweep.values[v].folder}, {"games", std::move(games)}});
  }
  json["conclusions"] = conclusions_of(sweep, figures);
  json["figures"] = Json::array();
  for (const SweepFigure& figure : figures) {
    Json values = Json::array();
    for (const Estimate& estimate : figure.values) values.push_back(to_json(estimate));
    json["figures"].push_back({{"figure", figure.headline.name},
                               {"of", figure.of.empty() ? Json(nullptr) : Json(figure.of)},
                               {"title", figure.headline.title},
                               {"unit", figure.headline.written != Unit::kNumber ? "share" : figure.headline.unit},
                               {"values", std::move(values)}});
  }
  return json;
}

int threads_of(const Sweep& sweep, const SweepValue& value) {
  std::vector<std::string> agents;
  for (const SweepTable& table : value.tables) agents.push_back(table.agent);
  return job_of(sweep, value, agents).threads;
}

// The agents of a value, if they are made first; nullopt if stopped.
std::optional<std::vector<std::string>> make_agents_of(const Sweep& sweep, const SweepValue& value,
                                                       const fs::path& folder, const SweepHooks& hooks) {
  std::vector<std::string> agents;
  if (!sweep.makes_agents()) return agents;
  for (std::size_t t = 0; t < value.tables.size(); ++t) {
    const std::string name = value.tables.size() == 1 ? value.folder : fmt::format("{}-{}", value.folder, t + 1);
    std::optional<std::string> agent =
        sweep.trains() ? hooks.train(value, value.tables[t], folder / "runs" / name)
                       : conditioned(value.tables[t], sweep.request.condition_deals, threads_of(sweep, value),
                                     folder / "condition" / name, hooks.stop);
    if (!agent) return std::nullopt;
    agents.push_back(std::move(*agent));
  }
  return agents;
}

}  // namespace

SweepOutcome run_sweep(const Sweep& sweep, const fs::path& path, const SweepHooks& hooks) {
  const StudyFolder folder(path, config_of(sweep), kSweepNames);
  FinishedValues finished(path);
  SweepOutcome outcome;
  SweepPlayed played;
  std::vector<Json> results;
  for (const SweepValue& value : sweep.values) {
    const auto agents = make_agents_of(sweep, value, path, hooks);
    if (!agents) {
      outcome.stopped =
          fmt::format("{} while its agent was {}", value.name, sweep.trains() ? "trained" : "conditioned");
      return outcome;
    }
    const StudyJob job = job_of(sweep, value, *agents);
    std::optional<Json> known = finished.results(job, value.folder);
    if (!known) {
      StudyHooks own = hooks.study ? hooks.study(value, job) : StudyHooks{};
      own.stop = hooks.stop;
      StudyOutcome study = run_study(job, path / value.folder, own);
      if (study.interrupted) {
        outcome.stopped =
            study.deals < job.all_deals()
                ? fmt::format("{} after {} of {}", value.name, study.deals, dealer::counted(job.all_deals(), "deal"))
                : fmt::format("{} after all deals, before the study was complete", value.name);
        return outcome;
      }
      known = std::move(study.results);
      finished.add(value.folder);
    }
    played.deals = job.deals;
    played.seed = job.seed;
    played.values.push_back(played_games(*known, job));
    results.push_back(std::move(*known));
  }
  played.version = version();
  const std::vector<SweepFigure> figures = figures_of(sweep, results);
  outcome.results = json_of(sweep, played, figures);
  outcome.report = folder.report();
  write_file(folder.report(), report_of(sweep, played, figures));
  write_file(folder.results(), outcome.results.dump(2) + '\n');
  return outcome;
}

}  // namespace dealer::studies
