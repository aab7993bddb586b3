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

MatchOptions match_of(const StudyJob& job) {
  MatchOptions match;
  match.game = job.game;
  match.agents.assign(static_cast<std::size_t>(job.game->players()), job.agent);
  match.seed = job.seed;
  match.threads = job.threads;
  match.duplicate = job.study->every_seating();
  match.deal = [&job](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); };
  match.strict = true;
  match.describe = line_of;
  return match;
}

int games_per_deal(const StudyJob& job) {
  return job.study->every_seating() ? static_cast<int>(seatings(job.game->players()).size()) : 1;
}

// Plays what is missing and returns how many deals there are then.
std::int64_t play(const StudyJob& job, StudyFolder& folder, const StudyHooks& hooks) {
  const LogExtent extent = extent_of_log(folder.games());
  folder.cut_games(extent.bytes);
  if (hooks.progress) hooks.progress(extent.deals);
  if (extent.deals >= job.deals) return extent.deals;
  MatchOptions match = match_of(job);
  match.first_deal = extent.deals;
  match.deals = job.deals - extent.deals;
  match.stop = hooks.stop;
  // The lines of a block come before the number of deals they bring it to.
  std::string lines;
  match.log = [&](std::string_view text) { lines += text; };
  match.progress = [&](std::int64_t done) {
    folder.append_games(lines + end_line(extent.deals + done));
    lines.clear();
    if (hooks.progress) hooks.progress(extent.deals + done);
  };
  return extent.deals + play_match(match).deals;
}

std::int64_t count(const StudyJob& job, const StudyFolder& folder) {
  return replay_log(folder.games(),
                    {.game = job.game,
                     .seed = job.seed,
                     .games_per_deal = games_per_deal(job),
                     .deal = [&](Env& env, std::uint64_t seed, int seating) { job.study->deal(env, seed, seating); },
                     .hand = [&](std::int64_t deal, std::span<const Event> hand) { job.study->add(deal, hand); }});
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
  job.game = make_game(config.get_string("game", kind.game));
  job.agent = make_agents(config.get_string("agent", "rule"), job.game);
  job.deals = config.get_int("deals", 10'000, 2, 10'000'000);
  job.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  job.threads = config.get_int<int>(kThreads, 0, 0, 1024);
  job.study = kind.make(config, job.game);
  config.finish();
  job.config = without_threads(config.resolved());
  return job;
}

StudyOutcome run_study(const StudyJob& job, const std::filesystem::path& path, const StudyHooks& hooks) {
  StudyFolder folder(path, job.config);
  StudyOutcome outcome;
  outcome.deals = play(job, folder, hooks);
  outcome.interrupted = outcome.deals < job.deals ||
                        !job.study->work({path, job.game, job.agent, job.seed, job.threads, hooks.stop, hooks.work});
  if (outcome.interrupted) return outcome;
  Subject subject{job.kind, job.game->spec(), job.agent->spec(), job.deals, 0, job.seed, version()};
  subject.hands = count(job, folder);
  outcome.results = {{"study", subject.study},    {"game", subject.game},   {"agent", subject.agent},
                     {"deals", subject.deals},    {"hands", subject.hands}, {"seed", subject.seed},
                     {"version", subject.version}};
  Findings findings = job.study->findings(subject);
  outcome.results["conclusions"] = std::move(findings.conclusions);
  outcome.results["figures"] = std::move(findings.figures);
  outcome.report = folder.report();
  write_file(folder.report(), findings.report);
  write_file(folder.results(), outcome.results.dump(2) + '\n');
  return outcome;
}

}  // namespace dealer::studies
