#include "arena/knockout/knockout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arena/knockout/report.h"
#include "arena/knockout/runner.h"
#include "arena/ordered_work.h"
#include "arena/output.h"
#include "arena/tournament/json_folder.h"
#include "arena/tournament/participants.h"
#include "env/core/at.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/wall_seconds.h"

namespace dealer::knockout {
namespace {

namespace fs = std::filesystem;
using tournament::JsonFolder;
using Json = JsonFolder::Json;

// The digests of an agent's files, at tables of every size; empty for agents without files.
std::string files_of(const std::string& spec, const Setup& setup) {
  std::vector<std::string> files;
  for (const int size : setup.levels.sizes()) {
    fs::path file;
    try {
      file = tournament::file_of(spec, *setup.levels.named(size), *setup.levels.game(size, 0));
    } catch (const Error&) {
      continue;  // of an agent that is made in another way
    }
    if (file.empty()) continue;
    std::string text = fmt::format("{}, {}", file.filename().string(), tournament::digest_of(file));
    if (std::find(files.begin(), files.end(), text) == files.end()) files.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(files, "; "));
}

// All settings that determine the tournaments except their number, one per line.
std::string config_of(const Setup& setup) {
  const Options& options = setup.options;
  std::string text;
  const auto add = [&](std::string_view key, const Json& value) {
    text += fmt::format("{}: {}", key, JsonFolder::line_of(value));
  };
  add("game", options.game->spec());
  add("players", options.players);
  add("table_size", options.table_size);
  add("stack", setup.levels.stack());
  add("raise_every", options.raise_every);
  add("max_hands", options.hands);
  add("seed", options.seed);
  add("duplicate", options.duplicate);
  for (std::size_t a = 0; a < options.agents.size(); ++a) {
    add(fmt::format("agent_{}", a + 1), options.agents[a]);
    const std::string files = files_of(options.agents[a], setup);
    if (!files.empty()) add(fmt::format("agent_{}_files", a + 1), files);
  }
  return text + studies::config_of_rules(setup.levels.game(setup.levels.sizes().front(), 0)->id().rules);
}

constexpr std::pair<const char*, std::int64_t TournamentCounts::*> kCounted[] = {
    {"games", &TournamentCounts::games},
    {"table_hands", &TournamentCounts::table_hands},
    {"rounds", &TournamentCounts::rounds},
    {"undecided", &TournamentCounts::undecided},
    {"told", &TournamentCounts::log_bytes}};

Json to_line(const TournamentCounts& counts) {
  Json line;
  for (const auto& [key, counted] : kCounted) line[key] = counts.*counted;
  if (counts.log_sum) line["told_sum"] = *counts.log_sum;
  line["agents"] = Json::array();
  for (const auto& [finishes, failures, decided] : counts.agents) {
    Json& agent = line["agents"].emplace_back(Json{{"finishes", Json::array()}});
    for (const Finish& finish : finishes) agent["finishes"].push_back({finish.first, finish.last});
    if (failures.failed() > 0 || failures.forfeited > 0)
      agent["failures"] = {{"hands", failures.hands}, {"first", failures.first}, {"forfeited", failures.forfeited}};
  }
  return line;
}

// Throws nlohmann's errors if the line does not match to_line().
TournamentCounts counts_of(const Json& line) {
  TournamentCounts counts;
  for (const auto& [key, counted] : kCounted) counts.*counted = line.at(key).get<std::int64_t>();
  if (line.contains("told_sum")) counts.log_sum = line["told_sum"].get<std::uint32_t>();
  for (const Json& one : line.at("agents")) {
    auto& [finishes, failures, decided] = counts.agents.emplace_back();
    for (const Json& finish : one.at("finishes"))
      finishes.push_back({finish.at(0).get<int>(), finish.at(1).get<int>()});
    if (!one.contains("failures")) continue;
    one["failures"].at("hands").get_to(failures.hands);
    one["failures"].at("first").get_to(failures.first);
    one["failures"].at("forfeited").get_to(failures.forfeited);
  }
  return counts;
}

// True if such a tournament is possible: the places of its games sum correctly.
bool fits(const TournamentCounts& counts, const Setup& setup) {
  const auto finishes = at(setup.seatings()) * at(setup.entries());
  const std::int64_t players = setup.options.players;
  if (counts.games != setup.seatings() || counts.agents.size() != at(setup.agents())) return false;
  std::int64_t places = 0;
  for (const TournamentCounts::Agent& agent : counts.agents) {
    if (agent.finishes.size() != finishes) return false;
    for (const Finish& finish : agent.finishes) {
      if (finish.first < 1 || finish.first > finish.last || finish.last > players) return false;
      places += finish.first + finish.last;
    }
  }
  return places == counts.games * players * (players + 1);
}

// If all tournaments gave the same number, the scatter is unknown. Rounding leaves an interval smaller than any number
// of tournaments could produce.
studies::Estimate with_scatter(studies::Estimate estimate) {
  constexpr double kRounding = 1e-6;
  if (estimate.ci95 < kRounding) estimate.ci95 = std::numeric_limits<double>::infinity();
  return estimate;
}

// The share per entry, as entries share the agent's total.
studies::Estimate share_of_each(const studies::ClusterMean& mean, int entries) {
  studies::Estimate share = mean.share();
  // Shares of 0 and 1 have intervals already.
  if (share.value > 0 && share.value < 1) share = with_scatter(share);
  return {.value = share.value / entries,
          .ci95 = share.ci95 / entries,
          .count = share.count * entries,
          .least = 0,
          .most = 1.0 / entries};
}

// Rounds sums of fractional places, such as six sixths, to whole numbers where exact.
double rounded(double sum) {
  constexpr double kRounding = 1e-9;
  const double whole = std::round(sum);
  return std::abs(sum - whole) < kRounding ? whole : sum;
}

// Accumulates tournaments.
class Counter {
 public:
  // Loads the tournaments of the folder, unless it is null. Both arguments must outlive it.
  Counter(const Setup& setup, JsonFolder* folder);

  const Kept& kept() const { return kept_; }
  // Adds the next tournament: logs it, counts it and stores it in the folder.
  void take(TournamentCounts& counts);
  // The result over all tournaments.
  Result result();

 private:
  void add(TournamentCounts& counts);
  // Throws AgentFailure, see expect_decisions().
  void expect_agents(const TournamentCounts& counts);

  struct Means {
    studies::ClusterMean place;
    std::vector<studies::ClusterMean> places;  // per place: share of its entries
    bool decided = false;                      // in this call
  };
  const Setup& setup_;
  JsonFolder* const folder_;
  Kept kept_;
  std::vector<Means> agents_;
  std::vector<studies::ClusterMean> ahead_;  // [agent][agent] places of the first less those of the second
  Result result_;
};

Counter::Counter(const Setup& setup, JsonFolder* folder)
    : setup_(setup), folder_(folder), agents_(setup.options.agents.size()), ahead_(agents_.size() * agents_.size()) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].places.resize(at(setup.options.players));
    result_.agents.emplace_back().spec = setup.options.agents[a];
  }
  if (folder_ == nullptr) return;
  std::int64_t read = 0;
  const auto count = [&](const Json& line) {
    if (read++ >= setup.options.tournaments) return true;
    TournamentCounts counts = counts_of(line);
    if (!fits(counts, setup)) return false;
    kept_.logged = kept_.logged && counts.log_bytes > 0;
    kept_.log += counts.log_bytes;
    kept_.sum = counts.log_sum;
    add(counts);
    return true;
  };
  folder_->read(count, [&](std::int64_t done) { return read == done; });
  kept_.tournaments = result_.tournaments;
}

void Counter::take(TournamentCounts& counts) {
  const Options& options = setup_.options;
  expect_agents(counts);
  for (const std::string& text : counts.log) {
    if (!options.log) continue;
    options.log(text);
    counts.log_bytes += static_cast<std::int64_t>(text.size());
    if (kept_.sum) kept_.sum = crc32c(text, *kept_.sum);
  }
  if (options.log) counts.log_sum = kept_.sum;
  add(counts);
  if (folder_ != nullptr) folder_->append(JsonFolder::line_of(to_line(counts)));
  if (options.progress) options.progress(result_.tournaments);
}

Result Counter::result() {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    AgentPlaces& agent = result_.agents[a];
    agent.place = with_scatter(agents_[a].place.estimate());
    for (const studies::ClusterMean& mean : agents_[a].places)
      agent.places.push_back(share_of_each(mean, setup_.entries()));
    agent.wins = agent.places.front();
    for (std::size_t b = a + 1; b < agents_.size(); ++b) {
      const studies::ClusterMean& ahead = ahead_[a * agents_.size() + b];
      result_.differences.push_back(
          {static_cast<int>(a), static_cast<int>(b), with_scatter(ahead.estimate()), 1 - ahead.ratio().superiority()});
    }
  }
  return std::move(result_);
}

// Checks only this call: a bot from earlier tournaments of the folder may no longer exist.
void Counter::expect_agents(const TournamentCounts& counts) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].decided = agents_[a].decided || counts.agents[a].decided;
    expect_decisions(setup_.options.agents[a], agents_[a].decided, counts.agents[a].failures);
  }
}

void Counter::add(TournamentCounts& counts) {
  const std::int64_t cluster = result_.tournaments++;
  const auto games = static_cast<double>(counts.games);
  const double entries = games * setup_.entries();
  for (const auto counted : {&Played::games, &Played::table_hands, &Played::rounds, &Played::undecided})
    result_.*counted += counts.*counted;
  bool failed = false;
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    const FailureCounts& failures = counts.agents[a].failures;
    result_.agents[a].failures.merge(failures);
    failed = failed || failures.failed() > 0;
  }
  result_.failed_tournaments += failed ? 1 : 0;
  if (failed) return;
  std::vector<double> place(agents_.size());
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    std::vector<Finish>& finishes = counts.agents[a].finishes;
    // Sorted, so that equal finishes have equal sums in any order.
    std::sort(finishes.begin(), finishes.end());
    for (const Finish& finish : finishes) place[a] += finish.place();
    agents_[a].place.add(cluster, place[a], entries);
    for (std::size_t i = 0; i < agents_[a].places.size(); ++i) {
      double share = 0;
      for (const Finish& finish : finishes) share += finish.share(static_cast<int>(i) + 1);
      agents_[a].places[i].add(cluster, rounded(share), games);
    }
  }
  for (std::size_t a = 0; a < agents_.size(); ++a)
    for (std::size_t b = a + 1; b < agents_.size(); ++b)
      ahead_[a * agents_.size() + b].add(cluster, place[a] - place[b], entries);
}

void play_missing(const Setup& setup, Counter& counter) {
  OrderedWork<TournamentCounts> work;
  work.first = counter.kept().tournaments;
  work.end = setup.options.tournaments;
  if (work.first > 0 && setup.options.progress) setup.options.progress(work.first);
  if (work.first == work.end) return;
  work.stop = setup.options.stop;
  work.make_worker = [&] {
    return [runner = std::make_shared<Runner>(setup)](std::int64_t tournament) { return runner->play(tournament); };
  };
  work.take = [&](TournamentCounts& counts) {
    counter.take(counts);
    return true;
  };
  const int threads = std::min(thread_count(setup.options.threads), setup.most_threads);
  work.run(static_cast<int>(std::min<std::int64_t>(threads, work.end - work.first)));
}

}  // namespace

Result play(const Options& options) {
  const double start = wall_seconds();
  const Setup setup(options);
  std::optional<JsonFolder> folder;
  if (!options.folder.empty())
    folder.emplace(options.folder, config_of(setup), studies::FolderNames{"knockout", "knockout.yaml", "lock"},
                   "tournaments.txt", "tournaments");
  Counter counter(setup, folder ? &*folder : nullptr);
  if (options.begin) options.begin(counter.kept());
  play_missing(setup, counter);
  Result result = counter.result();
  static_cast<Terms&>(result) = setup.options;
  result.game = options.game->spec();
  result.unit = options.game->unit();
  result.stack = setup.levels.stack();
  for (const auto& [key, maker] : setup.makers)
    for (const std::string& warning : maker->warnings()) {
      std::vector<std::string>& warnings = result.agents[at(key.agent)].warnings;
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
    }
  result.interrupted = result.tournaments < options.tournaments;
  result.seconds = wall_seconds() - start;
  if (options.on_result) options.on_result(result);
  if (!folder) return result;
  // The same tournaments write the same bytes.
  Json results = to_json(result);
  results.erase("seconds");
  folder->write(results, report(result));
  return result;
}

}  // namespace dealer::knockout
