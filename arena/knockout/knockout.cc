#include "arena/knockout/knockout.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "arena/knockout/folder.h"
#include "arena/knockout/runner.h"
#include "arena/ordered_work.h"

namespace dealer::knockout {
namespace {

// Where all tournaments gave the same number nothing is known of how it scatters. Rounding leaves an interval that no
// number of tournaments could come to.
studies::Estimate with_scatter(studies::Estimate estimate) {
  constexpr double kRounding = 1e-6;
  if (estimate.ci95 < kRounding) estimate.ci95 = std::numeric_limits<double>::infinity();
  return estimate;
}

// Of each of the entries, which share what one of them has.
studies::Estimate share_of_each(const studies::ClusterMean& mean, int entries) {
  studies::Estimate share = mean.share();
  // Never, and always, have intervals of their own.
  if (share.value > 0 && share.value < 1) share = with_scatter(share);
  return {.value = share.value / entries,
          .ci95 = share.ci95 / entries,
          .count = share.count * entries,
          .least = 0,
          .most = 1.0 / entries};
}

// Sums of parts of places, such as six sixths, without what rounding takes from whole numbers.
double rounded(double sum) {
  constexpr double kRounding = 1e-9;
  const double whole = std::round(sum);
  return std::abs(sum - whole) < kRounding ? whole : sum;
}

// Puts tournaments together.
class Counter {
 public:
  // Counts what the folder holds already, unless there is none: null. Both must live as long.
  Counter(const Setup& setup, Folder* folder);

  const Kept& kept() const { return kept_; }
  // The next one: logs it, counts it and keeps it in the folder.
  void take(TournamentCounts& counts);
  // Of all that were taken.
  Result result();

 private:
  void add(TournamentCounts& counts);
  // Throws AgentFailure, see expect_decisions().
  void expect_agents(const TournamentCounts& counts);

  struct Means {
    studies::ClusterMean place;
    std::vector<studies::ClusterMean> places;  // one of its entries in each place
    bool decided = false;                      // in this call
  };
  const Setup& setup_;
  Folder* const folder_;
  Kept kept_;
  std::vector<Means> agents_;
  std::vector<studies::ClusterMean> ahead_;  // [agent][agent] places of the first less those of the second
  Result result_;
};

Counter::Counter(const Setup& setup, Folder* folder)
    : setup_(setup), folder_(folder), agents_(setup.options.agents.size()), ahead_(agents_.size() * agents_.size()) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].places.resize(static_cast<std::size_t>(setup.options.players));
    result_.agents.emplace_back().spec = setup.options.agents[a];
  }
  if (folder_ == nullptr) return;
  folder_->read(std::min(folder_->done(), setup.options.tournaments), [this](TournamentCounts& counts) {
    kept_.told = kept_.told && counts.told > 0;
    kept_.log += counts.told;
    add(counts);
  });
  kept_.tournaments = result_.tournaments;
}

void Counter::take(TournamentCounts& counts) {
  const Options& options = setup_.options;
  expect_agents(counts);
  for (const std::string& text : counts.log) {
    if (!options.log) continue;
    options.log(text);
    counts.told += static_cast<std::int64_t>(text.size());
  }
  add(counts);
  if (folder_ != nullptr) folder_->keep(counts);
  if (options.progress) options.progress(result_.tournaments);
}

Result Counter::result() {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    AgentPlaces& agent = result_.agents[a];
    agent.place = with_scatter(agents_[a].place.estimate());
    for (const studies::ClusterMean& mean : agents_[a].places)
      agent.places.push_back(share_of_each(mean, setup_.entries()));
    agent.wins = agent.places.front();
    for (std::size_t b = a + 1; b < agents_.size(); ++b)
      result_.differences.push_back(
          {static_cast<int>(a), static_cast<int>(b), with_scatter(ahead_[a * agents_.size() + b].estimate())});
  }
  return std::move(result_);
}

// Of this call alone: a bot that played in the tournaments of the folder may not be there any more.
void Counter::expect_agents(const TournamentCounts& counts) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].decided = agents_[a].decided || counts.agents[a].decided;
    expect_decisions(setup_.options.agents[a], agents_[a].decided, counts.agents[a].failures);
  }
}

void Counter::add(TournamentCounts& counts) {
  const std::int64_t cluster = result_.tournaments;
  const auto games = static_cast<double>(counts.games);
  const double entries = games * setup_.entries();
  std::vector<double> place(agents_.size());
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    std::vector<Finish>& finishes = counts.agents[a].finishes;
    // Equal finishes make equal sums, whichever came first.
    std::sort(finishes.begin(), finishes.end());
    for (const Finish& finish : finishes) place[a] += finish.place();
    agents_[a].place.add(cluster, place[a], entries);
    for (std::size_t i = 0; i < agents_[a].places.size(); ++i) {
      double share = 0;
      for (const Finish& finish : finishes) share += finish.share(static_cast<int>(i) + 1);
      agents_[a].places[i].add(cluster, rounded(share), games);
    }
    result_.agents[a].failures.merge(counts.agents[a].failures);
  }
  for (std::size_t a = 0; a < agents_.size(); ++a)
    for (std::size_t b = a + 1; b < agents_.size(); ++b)
      ahead_[a * agents_.size() + b].add(cluster, place[a] - place[b], entries);
  ++result_.tournaments;
  result_.games += counts.games;
  result_.table_hands += counts.table_hands;
  result_.rounds += counts.rounds;
  result_.undecided += counts.undecided;
}

// For so many tournaments.
int thread_count(const Setup& setup, std::int64_t missing) {
  const int wanted = setup.options.threads > 0 ? setup.options.threads
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<std::int64_t>(std::min(wanted, setup.most_threads), missing));
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
  work.run(thread_count(setup, work.end - work.first));
}

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

// Of no case nothing is known.
nlohmann::ordered_json mean(const studies::Estimate& estimate) {
  return estimate.count > 0 ? number(estimate.value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

Result play(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Setup setup(options);
  std::optional<Folder> folder;
  if (!options.folder.empty()) folder.emplace(options.folder, setup);
  Counter counter(setup, folder ? &*folder : nullptr);
  if (options.begin) options.begin(counter.kept());
  play_missing(setup, counter);
  Result result = counter.result();
  result.game = options.game->spec();
  result.unit = options.game->unit();
  result.players = setup.options.players;
  result.table_size = setup.options.table_size;
  result.stack = setup.levels.stack();
  result.raise_every = options.raise_every;
  result.hands = options.hands;
  for (const auto& [key, maker] : setup.makers)
    for (const std::string& remark : maker->remarks()) {
      std::vector<std::string>& remarks = result.agents[static_cast<std::size_t>(key.agent)].remarks;
      if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
    }
  result.seed = options.seed;
  result.duplicate = options.duplicate;
  result.interrupted = result.tournaments < options.tournaments;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.tell) options.tell(result);
  if (folder) folder->write(result);
  return result;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json = {{"game", result.game},
                                 {"format", "knockout"},
                                 {"unit", result.unit},
                                 {"players", result.players},
                                 {"table_size", result.table_size},
                                 {"stack", result.stack},
                                 {"raise_every", result.raise_every},
                                 {"hands", result.hands},
                                 {"tournaments", result.tournaments},
                                 {"games", result.games},
                                 {"rounds", result.rounds},
                                 {"table_hands", result.table_hands},
                                 {"undecided", result.undecided},
                                 {"seed", result.seed},
                                 {"duplicate", result.duplicate},
                                 {"interrupted", result.interrupted},
                                 {"seconds", result.seconds}};
  json["agents"] = nlohmann::ordered_json::array();
  for (const AgentPlaces& agent : result.agents) {
    nlohmann::ordered_json places = nlohmann::ordered_json::array(), intervals = places;
    for (const studies::Estimate& share : agent.places) {
      places.push_back(mean(share));
      intervals.push_back(number(share.ci95));
    }
    json["agents"].push_back({{"spec", agent.spec},
                              {"place", mean(agent.place)},
                              {"ci95", number(agent.place.ci95)},
                              {"wins", mean(agent.wins)},
                              {"wins_ci95", number(agent.wins.ci95)},
                              {"places", places},
                              {"places_ci95", intervals},
                              {"failures", nlohmann::ordered_json(dealer::to_json(agent.failures))},
                              {"remarks", agent.remarks}});
  }
  json["differences"] = nlohmann::ordered_json::array();
  for (const auto& [a, b, place] : result.differences)
    json["differences"].push_back({{"a", a}, {"b", b}, {"place", mean(place)}, {"ci95", number(place.ci95)}});
  return json;
}

}  // namespace dealer::knockout
