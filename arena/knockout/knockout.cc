#include "arena/knockout/knockout.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "arena/knockout/floor.h"
#include "env/core/worker_pool.h"

namespace dealer::knockout {
namespace {

// Where all clusters agree, rounding leaves an interval of less than any number of tournaments could come to.
studies::Estimate rounded(studies::Estimate estimate) {
  constexpr double kRounding = 1e-6;
  if (estimate.ci95 < kRounding) estimate.ci95 = 0;
  return estimate;
}

// Hands out tournaments and puts what they have come to together in order, whatever the number of threads.
class Counter {
 public:
  explicit Counter(const Setup& setup)
      : setup_(setup), agents_(setup.options.agents.size()), ahead_(agents_.size() * agents_.size()) {
    for (std::size_t a = 0; a < agents_.size(); ++a) {
      agents_[a].places.resize(static_cast<std::size_t>(setup.options.players));
      result_.agents.emplace_back().spec = setup.options.agents[a];
    }
  }

  // options.tournaments or more when there is none.
  std::int64_t take() {
    if (setup_.options.stop && setup_.options.stop()) return setup_.options.tournaments;
    return next_++;
  }
  void give_up() { next_ = setup_.options.tournaments; }

  void hand_in(std::int64_t tournament, Tally tally) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(tournament, std::move(tally));
    while (!waiting_.empty() && waiting_.begin()->first == result_.tournaments) {
      add(waiting_.begin()->second);
      if (setup_.options.progress) setup_.options.progress(result_.tournaments);
      waiting_.erase(waiting_.begin());
    }
  }

  // Of all that was handed in.
  Result result() {
    for (std::size_t a = 0; a < agents_.size(); ++a) {
      AgentPlaces& agent = result_.agents[a];
      agent.place = rounded(agents_[a].place.estimate());
      agent.wins = rounded(agents_[a].places.front().share());
      for (const studies::ClusterMean& share : agents_[a].places) agent.places.push_back(rounded(share.share()));
      for (std::size_t b = a + 1; b < agents_.size(); ++b)
        result_.differences.push_back(
            {static_cast<int>(a), static_cast<int>(b), rounded(ahead_[a * agents_.size() + b].estimate())});
    }
    return std::move(result_);
  }

 private:
  void add(Tally& tally) {
    const std::int64_t cluster = result_.tournaments;
    const auto entries = static_cast<double>(tally.games * setup_.entries());
    std::vector<double> place(agents_.size());
    for (std::size_t a = 0; a < agents_.size(); ++a) {
      std::vector<Finish>& finishes = tally.agents[a].finishes;
      // Equal finishes make equal sums, whichever came first.
      std::sort(finishes.begin(), finishes.end());
      for (const Finish& finish : finishes) place[a] += finish.place();
      agents_[a].place.add(cluster, place[a], entries);
      for (std::size_t i = 0; i < agents_[a].places.size(); ++i) {
        double share = 0;
        for (const Finish& finish : finishes) share += finish.share(static_cast<int>(i) + 1);
        agents_[a].places[i].add(cluster, share, entries);
      }
      result_.agents[a].failures.merge(tally.agents[a].failures);
    }
    for (std::size_t a = 0; a < agents_.size(); ++a)
      for (std::size_t b = a + 1; b < agents_.size(); ++b)
        ahead_[a * agents_.size() + b].add(cluster, place[a] - place[b], entries);
    for (const std::string& text : tally.log)
      if (setup_.options.log) setup_.options.log(text);
    ++result_.tournaments;
    result_.games += tally.games;
    result_.table_hands += tally.table_hands;
    result_.rounds += tally.rounds;
    result_.undecided += tally.undecided;
  }

  struct Means {
    studies::ClusterMean place;
    std::vector<studies::ClusterMean> places;
  };
  const Setup& setup_;
  std::vector<Means> agents_;
  std::vector<studies::ClusterMean> ahead_;  // [agent][agent] places of the first less those of the second
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::map<std::int64_t, Tally> waiting_;
  Result result_;
};

int thread_count(const Setup& setup) {
  const int wanted = setup.options.threads > 0 ? setup.options.threads
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<std::int64_t>(std::min(wanted, setup.most_threads), setup.options.tournaments));
}

void play_some(const Setup& setup, Counter& counter) {
  Floor floor(setup);
  for (std::int64_t next = counter.take(); next < setup.options.tournaments; next = counter.take()) {
    Tally tally;
    if (!floor.play(next, tally)) return;
    counter.hand_in(next, std::move(tally));
  }
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
  if (options.begin) options.begin();
  Counter counter(setup);
  WorkerPool pool(thread_count(setup));
  pool.run([&](int /*worker*/) {
    try {
      play_some(setup, counter);
    } catch (...) {
      counter.give_up();
      throw;
    }
  });
  Result result = counter.result();
  result.game = options.game->spec();
  result.unit = options.game->unit();
  result.players = setup.options.players;
  result.table_size = setup.options.table_size;
  result.stack = setup.levels.stack();
  result.raise_every = options.raise_every;
  result.hands = options.hands;
  for (const auto& [cast, maker] : setup.makers)
    for (const std::string& remark : maker->remarks()) {
      std::vector<std::string>& remarks = result.agents[static_cast<std::size_t>(cast.agent)].remarks;
      if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
    }
  result.seed = options.seed;
  result.duplicate = options.duplicate;
  result.interrupted = result.tournaments < options.tournaments;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
