#include "arena/studies/run.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "arena/match.h"
#include "arena/studies/folder.h"
#include "arena/studies/game_log.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/nearest.h"
#include "env/core/registry.h"
#include "env/core/version.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kThreads = "threads";

std::string without_threads(const std::string& config) {
  std::string kept;
  for (std::string_view rest = config; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (!line.starts_with(kThreads)) kept += line;
  }
  return kept;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, kind] : study_kinds()) names.push_back(name);
  return names;
}

MatchOptions match_of(const StudyJob& job, std::size_t game) {
  MatchOptions match;
  match.game = job.games[game];
  match.agents.assign(static_cast<std::size_t>(match.game->players()), job.agents[game]);
  match.seed = job.seed;
  match.threads = job.threads;
  match.duplicate = job.study->every_seating();
  match.deal = [&job](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); };
  match.strict = true;
  match.describe = line_of;
  return match;
}

// Of a study of every seating; it has one game.
int games_per_deal(const StudyJob& job) {
  return job.study->every_seating() ? static_cast<int>(seatings(job.games.front()->players()).size()) : 1;
}

// Plays the deals of one game from `first` on, which counts those of the games before, and returns how many deals there
// are then.
std::int64_t play_game(const StudyJob& job, std::size_t game, std::int64_t first, StudyFolder& folder,
                       const StudyHooks& hooks) {
  MatchOptions match = match_of(job, game);
  match.first_deal = first;
  match.deals = job.deals * static_cast<std::int64_t>(game + 1) - first;
  match.stop = hooks.stop;
  // The lines of a block come before the number of deals they bring it to.
  std::string lines;
  match.log = [&](std::string_view text) { lines += text; };
  match.progress = [&](std::int64_t done) {
    folder.append_games(lines + end_line(first + done));
    lines.clear();
    if (hooks.progress) hooks.progress(first + done);
  };
  return first + play_match(match).deals;
}

// Plays what is missing and returns how many deals there are then.
std::int64_t play(const StudyJob& job, StudyFolder& folder, const StudyHooks& hooks) {
  const LogExtent extent = extent_of_log(folder.games());
  folder.cut_games(extent.bytes);
  if (hooks.progress) hooks.progress(extent.deals);
  std::int64_t done = extent.deals;
  for (std::size_t game = 0; game < job.games.size(); ++game) {
    const std::int64_t end = job.deals * static_cast<std::int64_t>(game + 1);
    if (done >= end) continue;
    done = play_game(job, game, done, folder, hooks);
    if (done < end) break;
  }
  return done;
}

// Tells the study all hands; `of_game` gets how many each game had.
std::int64_t count(const StudyJob& job, const StudyFolder& folder, std::vector<StudiedGame>& of_game) {
  std::size_t game = 0;
  return replay_log(folder.games(),
                    {.games = job.games,
                     .deals_each = job.deals,
                     .seed = job.seed,
                     .games_per_deal = games_per_deal(job),
                     .deal = [&](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); },
                     .hand =
                         [&](std::int64_t deal, std::span<const Event> hand) {
                           if (!of_game.empty()) ++of_game[game].hands;
                           job.study->add(deal, hand);
                         },
                     .begin_game =
                         [&](int number) {
                           game = static_cast<std::size_t>(number);
                           job.study->begin_game(number);
                         }});
}

// Games and who plays them.
void read_players(Config& config, const StudyKind& kind, StudyJob& job) {
  if (!kind.has_several()) {
    job.games = {make_game(config.get_string("game", kind.game))};
    job.agents = {make_agents(config.get_string("agent", "rule"), job.games.front())};
    return;
  }
  const std::vector<std::string> games = config.get_strings("games", {std::string(kind.game)});
  if (games.empty()) throw ConfigError(fmt::format("{}: there is no game in it", config.where("games")));
  for (const std::string& game : games) job.games.push_back(make_game(game));
  const std::vector<std::string> agents = config.get_strings("agents", {"rule"});
  if (agents.size() != 1 && agents.size() != games.size())
    throw ConfigError(fmt::format("{}: {} agents for {} games; expected one for all of them, or one for each",
                                  config.where("agents"), agents.size(), games.size()));
  for (std::size_t i = 0; i < games.size(); ++i)
    job.agents.push_back(make_agents(agents.size() == 1 ? agents.front() : agents[i], job.games[i]));
}

// What was studied, as results.json begins.
nlohmann::ordered_json json_of(const Subject& subject) {
  nlohmann::ordered_json json = {{"study", subject.study}};
  if (subject.games.empty()) {
    json["game"] = subject.game;
    json["agent"] = subject.agent;
  } else {
    json["games"] = nlohmann::ordered_json::array();
    for (const StudiedGame& one : subject.games)
      json["games"].push_back({{"game", one.game}, {"agent", one.agent}, {"hands", one.hands}});
  }
  json["deals"] = subject.deals;
  json["hands"] = subject.hands;
  json["seed"] = subject.seed;
  json["version"] = subject.version;
  return json;
}

}  // namespace

StudyJob read_study(const std::string& name, const std::vector<std::string>& overrides) {
  const std::filesystem::path file = config_file("study", "configs/studies", name);
  Config config = Config::load(file, "configs/studies");
  expect_config("study", config, file.string());
  for (const std::string& word : overrides) config.set(word);
  StudyJob job;
  const std::vector<std::string_view> kinds = kind_names();
  job.kind = kinds[config.get_choice("study", kinds.front(), kinds)];
  const StudyKind& kind = study_kinds().find(job.kind)->second;
  read_players(config, kind, job);
  job.deals = config.get_int("deals", 10'000, 2, 10'000'000);
  job.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  job.threads = config.get_int<int>(kThreads, 0, 0, 1024);
  job.study = kind.has_several() ? kind.make_several(config, job.games) : kind.make(config, job.games.front());
  config.finish();
  job.config = without_threads(config.resolved());
  return job;
}

StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& path, const StudyHooks& hooks) {
  StudyFolder folder(path, job.config);
  StudyOutcome outcome;
  outcome.deals = play(job, folder, hooks);
  outcome.interrupted = outcome.deals < job.all_deals();
  if (outcome.interrupted) return outcome;
  Subject subject{job.kind, job.games.front()->spec(), job.agents.front()->spec(), job.deals, 0, job.seed, version()};
  if (study_kinds().find(job.kind)->second.has_several())
    for (std::size_t i = 0; i < job.games.size(); ++i)
      subject.games.push_back({job.games[i]->spec(), job.agents[i]->spec(), 0});
  subject.hands = count(job, folder, subject.games);
  outcome.results = json_of(subject);
  Findings findings = job.study->findings(subject);
  outcome.results["conclusions"] = std::move(findings.conclusions);
  outcome.results["figures"] = std::move(findings.figures);
  outcome.report = folder.report();
  write_file(folder.report(), findings.report);
  write_file(folder.results(), outcome.results.dump(2) + '\n');
  return outcome;
}

}  // namespace dealer::studies
