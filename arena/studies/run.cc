#include "arena/studies/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "arena/folder.h"
#include "arena/studies/game_log.h"
#include "arena/studies/strength.h"
#include "env/core/config_tree.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/registry.h"
#include "env/core/version.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kThreads = "threads", kExploited = "exploited";
// The keys that a list `agents` replaces.
constexpr std::array<std::string_view, 2> kAgentKeys = {"agent", "substitute"};

// The lines of a config without some keys.
std::string without(const std::string& config, std::span<const std::string_view> keys) {
  std::string kept;
  for (std::string_view rest = config; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (std::find(keys.begin(), keys.end(), line.substr(0, line.find(':'))) == keys.end()) kept += line;
  }
  return kept;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, kind] : study_kinds()) names.push_back(name);
  return names;
}

bool has_games(const StudyJob& job) { return study_kinds().find(job.kind)->second.make_of_games != nullptr; }

MatchOptions match_of(const StudyJob& job, const StudyJob::Table& table) {
  MatchOptions match;
  match.game = table.game;
  match.agents.assign(static_cast<std::size_t>(table.game->players()), table.agent);
  match.seed = job.seed;
  match.threads = job.threads;
  match.duplicate = job.study->every_seating();
  match.deal = [&job](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); };
  match.strict = true;
  match.describe = line_of;
  return match;
}

// Plays the missing deals and returns the total number of deals.
std::int64_t play(const StudyJob& job, const StudyFolder& folder, const StudyHooks& hooks) {
  LinesFile games(folder.games(), std::string(kGamesUnit));
  if (hooks.progress) hooks.progress(games.done());
  for (std::size_t i = 0; i < job.tables.size(); ++i) {
    const std::int64_t end = job.deals * static_cast<std::int64_t>(i + 1);
    if (games.done() >= end) continue;
    MatchOptions match = match_of(job, job.tables[i]);
    match.first_deal = games.done();
    match.deals = end - games.done();
    match.stop = hooks.stop;
    play_into(games, std::move(match), hooks.progress);
    if (games.done() < end) break;
  }
  return games.done();
}

// Gives all hands to the study; returns their number by game.
std::vector<std::int64_t> count(const StudyJob& job, const StudyFolder& folder) {
  Replay replay;
  for (const StudyJob::Table& table : job.tables) replay.games.push_back(table.game);
  replay.deals = job.deals;
  replay.seed = job.seed;
  replay.every_seating = job.study->every_seating();
  replay.deal = [&](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); };
  replay.begin_game = [&](std::size_t game) { job.study->begin_game(game); };
  replay.hand = [&](std::int64_t deal, std::span<const Event> hand) { job.study->add(deal, hand); };
  return replay_log(folder.games(), replay);
}

Config load(const std::string& name) {
  const std::filesystem::path file = config_file("study", "configs/studies", name);
  Config config = Config::load(file, "configs/studies");
  expect_config("study", config, file.string());
  return config;
}

bool sets(const std::string& word, std::string_view key) {
  return word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=';
}

// A single `agent` that overrides the `agents` of the file becomes a list of one.
std::string as_list(const std::string& word) {
  const std::string agent = word.substr(word.find('=') + 1);
  const bool is_quoted = agent.starts_with('"') || agent.starts_with('\'');
  return fmt::format("agents=[{}]", is_quoted ? agent : yaml_quoted(agent));
}

Config load(const std::string& name, const std::vector<std::string>& overrides) {
  Config config = load(name);
  const bool lists = config.has("agents");
  for (const std::string& word : overrides) config.set(lists && sets(word, "agent") ? as_list(word) : word);
  return config;
}

const std::pair<const std::string, StudyKind>& kind_of(Config& config) {
  const std::vector<std::string_view> kinds = kind_names();
  return *study_kinds().find(kinds[config.get_choice("study", kinds.front(), kinds)]);
}

std::vector<std::string> games_of(Config& config, const StudyKind& kind) {
  std::vector<std::string> games = config.get_strings("games", {std::string(kind.game)});
  if (games.empty()) throw ConfigError(config.where("games") + ": the list is empty; expected one game or more");
  return games;
}

// One agent for each game, or one for all.
void read_agents(Config& config, std::vector<StudyJob::Table>& tables) {
  const std::vector<std::string> agents = config.get_strings("agents", {});
  // A list overrides the keys of the file.
  for (const std::string_view key : kAgentKeys)
    if (config.has(key)) config.get_string(key, "");
  if (agents.size() != 1 && agents.size() != tables.size())
    throw ConfigError(fmt::format("{}: {} agents for {} games; expected one for all of them, or one for each",
                                  config.where("agents"), agents.size(), tables.size()));
  for (std::size_t i = 0; i < tables.size(); ++i)
    tables[i].agent = make_agents(agents[agents.size() == 1 ? 0 : i], tables[i].game);
}

// `agent` plays the games it supports, `substitute` the others.
void read_agent(Config& config, std::vector<StudyJob::Table>& tables) {
  const std::string agent = config.get_string("agent", "rule"), substitute = config.get_string("substitute", "none");
  std::exception_ptr refusal;
  for (StudyJob::Table& table : tables) {
    try {
      table.agent = make_agents(agent, table.game);
    } catch (const ConfigError&) {
      throw;  // a misspelt or invalid option must not be hidden by another agent
    } catch (const UsageError&) {
      if (substitute == "none") throw;
      if (!refusal) refusal = std::current_exception();
    }
  }
  // A substitute for all games would hide a misspelt name.
  if (std::all_of(tables.begin(), tables.end(), [](const StudyJob::Table& table) { return table.agent == nullptr; }))
    std::rethrow_exception(refusal);
  for (StudyJob::Table& table : tables)
    if (table.agent == nullptr) table.agent = make_agents(substitute, table.game);
}

std::vector<StudyJob::Table> read_tables(Config& config, const StudyKind& kind) {
  std::vector<StudyJob::Table> tables;
  for (const std::string& game : games_of(config, kind)) tables.push_back({make_game(game), nullptr});
  if (config.has("agents"))
    read_agents(config, tables);
  else
    read_agent(config, tables);
  // Equal games by equal agents would be redundant.
  std::vector<StudyJob::Table> different;
  for (StudyJob::Table& table : tables) {
    const auto same = [&](const StudyJob::Table& other) {
      return other.game->spec() == table.game->spec() && other.agent->spec() == table.agent->spec();
    };
    if (std::none_of(different.begin(), different.end(), same)) different.push_back(std::move(table));
  }
  return different;
}

}  // namespace

StudySummary summary_of(const std::string& name) {
  Config config = load(name);
  const auto& [kind_name, kind] = kind_of(config);
  const std::string game =
      kind.make_of_games == nullptr ? config.get_string("game", kind.game) : games_of(config, kind).front();
  return {kind_name, make_game(game)->spec(), kind.what};
}

NamedTables named_tables(const std::string& name, const std::vector<std::string>& overrides) {
  Config config = load(name, overrides);
  const StudyKind& kind = kind_of(config).second;
  if (kind.make_of_games == nullptr)
    return {false, {config.get_string("game", kind.game)}, {config.get_string("agent", "rule")}};
  NamedTables tables{true, games_of(config, kind), {}};
  tables.agents = config.has("agents") ? config.get_strings("agents", {})
                                       : std::vector<std::string>{config.get_string("agent", "rule")};
  return tables;
}

StudyJob read_study(const std::string& name, const std::vector<std::string>& overrides) {
  Config config = load(name, overrides);
  StudyJob job;
  const auto& [kind_name, kind] = kind_of(config);
  job.kind = kind_name;
  if (kind.make_of_games != nullptr) {
    job.tables = read_tables(config, kind);
  } else {
    const GamePtr game = make_game(config.get_string("game", kind.game));
    job.tables = {{game, make_agents(config.get_string("agent", "rule"), game)}};
  }
  job.deals = config.get_int("deals", 10'000, 2, 10'000'000);
  job.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  job.threads = config.get_int<int>(kThreads, 0, 0, 1024);
  job.exploited = config.get_string(kExploited, "");
  if (kind.make_of_games != nullptr) {
    std::vector<GamePtr> games;
    for (const StudyJob::Table& table : job.tables) games.push_back(table.game);
    job.study = kind.make_of_games(config, games);
  } else {
    job.study = kind.make(config, job.tables.front().game);
  }
  config.finish();
  std::vector<std::string_view> left_out = {kThreads, kExploited};
  if (kind.make_of_games != nullptr && config.has("agents"))
    left_out.insert(left_out.end(), kAgentKeys.begin(), kAgentKeys.end());
  job.config = without(config.resolved(), left_out);
  return job;
}

StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& path, const StudyHooks& hooks) {
  StudyFolder folder(path, job.config);
  StudyOutcome outcome;
  outcome.deals = play(job, folder, hooks);
  const auto& [game, agent] = job.tables.front();
  StudyContext place{path, game, agent, job.seed, job.threads, hooks.stop, hooks.work};
  for (const StudyJob::Table& table : job.tables) place.agents.push_back(table.agent);
  outcome.interrupted = outcome.deals < job.all_deals() || !job.study->work(place);
  if (outcome.interrupted) return outcome;
  Subject subject{job.kind, game->spec(), agent->spec(), job.deals, 0, job.seed, version()};
  const std::vector<std::int64_t> hands = count(job, folder);
  subject.hands = std::accumulate(hands.begin(), hands.end(), std::int64_t{0});
  outcome.results["study"] = subject.study;
  if (has_games(job)) {
    for (std::size_t i = 0; i < job.tables.size(); ++i) {
      subject.games.push_back({job.tables[i].game->spec(), job.tables[i].agent->spec(), hands[i]});
      const Subject::Played& played = subject.games.back();
      outcome.results["games"].push_back({{"game", played.game}, {"agent", played.agent}, {"hands", played.hands}});
    }
  } else {
    outcome.results["game"] = subject.game;
    outcome.results["agent"] = subject.agent;
  }
  const std::vector<Exploited> known = job.exploited.empty() ? shipped_exploited() : read_exploited(job.exploited);
  std::vector<PlayedBy> games;
  for (const StudyJob::Table& table : job.tables) games.push_back({table.game->spec(), table.agent->spec()});
  subject.strength = strength_of(known, games);
  outcome.results["strength"] = subject.strength;
  outcome.results["deals"] = subject.deals;
  outcome.results["hands"] = subject.hands;
  outcome.results["seed"] = subject.seed;
  outcome.results["version"] = subject.version;
  StudyResults results = job.study->results(subject);
  outcome.results["conclusions"] = std::move(results.conclusions);
  outcome.results["figures"] = std::move(results.figures);
  outcome.report = folder.report();
  write_file(folder.report(), results.report);
  write_file(folder.results(), outcome.results.dump(2) + '\n');
  return outcome;
}

}  // namespace dealer::studies
