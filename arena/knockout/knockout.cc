#include "arena/knockout/knockout.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "arena/knockout/counter.h"
#include "arena/knockout/folder.h"
#include "arena/knockout/runner.h"
#include "env/core/worker_pool.h"

namespace dealer::knockout {
namespace {

// For so many tournaments.
int thread_count(const Setup& setup, std::int64_t missing) {
  const int wanted = setup.options.threads > 0 ? setup.options.threads
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<std::int64_t>(std::min(wanted, setup.most_threads), missing));
}

void play_some(const Setup& setup, Counter& counter) {
  Runner runner(setup);
  for (std::int64_t next = counter.take(); next < setup.options.tournaments; next = counter.take()) {
    Tally tally;
    if (!runner.play(next, tally)) return;
    counter.hand_in(next, std::move(tally));
  }
}

void play_missing(const Setup& setup, Counter& counter) {
  const std::int64_t kept = counter.kept().tournaments, missing = setup.options.tournaments - kept;
  if (kept > 0 && setup.options.progress) setup.options.progress(kept);
  if (missing == 0) return;
  WorkerPool pool(thread_count(setup, missing));
  pool.run([&](int /*worker*/) {
    try {
      play_some(setup, counter);
    } catch (...) {
      counter.give_up();
      throw;
    }
  });
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
