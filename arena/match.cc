#include "arena/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "env/core/error.h"
#include "env/core/worker_pool.h"

namespace dealer {
namespace {

// Deals are handed out and added up in blocks of this many, whatever the number of threads, so that even sums of
// fractions do not depend on it.
constexpr std::int64_t kBlock = 16;
// The stream of a deal from which the agents' seeds come.
constexpr std::uint64_t kAgentStream = 0x6167656e74730000ULL;

struct Tally {
  std::vector<AgentResult> agents;
  std::int64_t deals = 0, episodes = 0, hands = 0;
  std::string log;

  void merge(const Tally& other) {
    for (std::size_t a = 0; a < agents.size(); ++a) {
      agents[a].points.merge(other.agents[a].points);
      auto& rates = agents[a].rates;
      const auto& more = other.agents[a].rates;
      rates.resize(std::max(rates.size(), more.size()));
      for (std::size_t i = 0; i < more.size(); ++i) {
        rates[i].name = more[i].name;
        rates[i].numerator += more[i].numerator;
        rates[i].denominator += more[i].denominator;
      }
    }
    deals += other.deals;
    episodes += other.episodes;
    hands += other.hands;
  }
};

// One thread's table with its own set of agents.
class Table {
 public:
  Table(const MatchOptions& options, const std::vector<std::vector<int>>& seatings)
      : options_(options), seatings_(seatings), env_(options.game->new_env({.hold_hands = true})) {
    for (const auto& factory : options.agents) agents_.push_back(factory->make());
    points_.resize(agents_.size());
  }

  void play_deal(std::int64_t deal, Tally& tally) {
    std::vector<double> won(agents_.size());
    std::int64_t hands = 0;
    const auto count = static_cast<std::int64_t>(seatings_.size());
    for (std::int64_t s = 0; s < count; ++s) {
      if (!options_.duplicate && s != deal % count) continue;
      const auto& seating = seatings_[static_cast<std::size_t>(s)];
      hands += play_episode(deal, static_cast<int>(s), tally);
      const std::vector<double> returns = env_->returns();
      for (std::size_t seat = 0; seat < seating.size(); ++seat)
        won[static_cast<std::size_t>(seating[seat])] += returns[seat];
      ++tally.episodes;
    }
    for (std::size_t a = 0; a < agents_.size(); ++a) tally.agents[a].points.add(won[a], static_cast<double>(hands));
    tally.hands += hands;
    ++tally.deals;
  }

 private:
  int play_episode(std::int64_t deal, int index, Tally& tally) {
    const auto& seating = seatings_[static_cast<std::size_t>(index)];
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(deal));
    env_->reset(seed);
    for (std::size_t seat = 0; seat < seating.size(); ++seat)
      agent_at(seating, static_cast<Seat>(seat)).reset(static_cast<Seat>(seat), derive(seed ^ kAgentStream, seat));
    std::vector<double> before(seating.size());
    for (int hand = 0;; ++hand) {
      decisions_.clear();
      while (!env_->hand_over()) move(seating, deal);
      count_statistics(seating, tally);
      const std::vector<double> returns = env_->returns();
      if (writes_log()) {
        for (std::size_t seat = 0; seat < points_.size(); ++seat) points_[seat] = returns[seat] - before[seat];
        tally.log +=
            options_.describe({deal, seed, index, hand, seating, env_->events(kOmniscient), decisions_, points_});
      }
      before = returns;
      if (env_->terminated()) return hand + 1;
      env_->next_hand();
    }
  }

  bool writes_log() const { return options_.describe && options_.log; }

  Agent& agent_at(const std::vector<int>& seating, Seat seat) {
    return *agents_[static_cast<std::size_t>(seating[static_cast<std::size_t>(seat)])];
  }

  void move(const std::vector<int>& seating, std::int64_t deal) {
    const Seat seat = env_->current_player();
    const Decision decision = agent_at(seating, seat).act(env_->observe(seat));
    try {
      if (writes_log()) decisions_.push_back({seat, decision, env_->decision_to_string(decision)});
      env_->step(decision);
    } catch (const IllegalAction& error) {
      const auto agent = static_cast<std::size_t>(seating[static_cast<std::size_t>(seat)]);
      throw IllegalAction(fmt::format("agent '{}' in seat {} of deal {}: {}", options_.agents[agent]->spec(), seat,
                                      deal, error.what()));
    }
  }

  void count_statistics(const std::vector<int>& seating, Tally& tally) const {
    for (std::size_t seat = 0; seat < seating.size(); ++seat) {
      auto& rates = tally.agents[static_cast<std::size_t>(seating[seat])].rates;
      const Statistics statistics = env_->statistics(static_cast<Seat>(seat));
      rates.resize(std::max(rates.size(), statistics.size()));
      for (std::size_t i = 0; i < statistics.size(); ++i) {
        if (rates[i].name.empty()) rates[i].name = statistics[i].name;
        rates[i].numerator += statistics[i].numerator;
        rates[i].denominator += statistics[i].denominator;
      }
    }
  }

  const MatchOptions& options_;
  const std::vector<std::vector<int>>& seatings_;
  std::unique_ptr<Env> env_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<PlayedDecision> decisions_;
  std::vector<double> points_;
};

// Hands out blocks of deals and puts their tallies together in order.
class Blocks {
 public:
  explicit Blocks(const MatchOptions& options) : options_(options), total_(empty()) {}

  Tally empty() const {
    Tally tally;
    tally.agents.resize(options_.agents.size());
    return tally;
  }

  // The next block to play; at or after the end when there is none.
  std::int64_t take() {
    if (options_.stop != nullptr && options_.stop->load()) return count();
    return next_++;
  }
  std::int64_t count() const { return (options_.deals + kBlock - 1) / kBlock; }
  void give_up() { next_ = count(); }

  void hand_in(std::int64_t block, Tally tally) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(block, std::move(tally));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == merged_; ++merged_) {
      total_.merge(first->second);
      if (!first->second.log.empty()) options_.log(first->second.log);
      first = waiting_.erase(first);
    }
    if (options_.progress) options_.progress(total_.deals);
  }

  const Tally& total() const { return total_; }

 private:
  const MatchOptions& options_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::map<std::int64_t, Tally> waiting_;
  std::int64_t merged_ = 0;
  Tally total_;
};

void check(const MatchOptions& options) {
  const auto players = static_cast<std::size_t>(options.game->players());
  if (options.agents.size() != players)
    throw UsageError(fmt::format("{} agents given; '{}' is a game of {} players", options.agents.size(),
                                 options.game->spec(), players));
  if (options.deals < 1) throw UsageError(fmt::format("{} hands to deal; expected at least 1", options.deals));
  if (options.threads < 0) throw UsageError(fmt::format("{} threads; expected 0 (all) or more", options.threads));
}

int thread_count(const MatchOptions& options, std::int64_t blocks) {
  const int wanted =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<std::int64_t>(wanted, blocks));
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

}  // namespace

std::vector<std::vector<int>> seatings(int players) {
  std::vector<int> agents(static_cast<std::size_t>(players));
  std::iota(agents.begin(), agents.end(), 0);
  std::vector<std::vector<int>> all;
  if (players <= 3) {
    do all.push_back(agents);
    while (std::next_permutation(agents.begin(), agents.end()));
  } else {
    for (int i = 0; i < players; ++i) {
      all.push_back(agents);
      std::rotate(agents.begin(), agents.begin() + 1, agents.end());
    }
  }
  return all;
}

MatchResult play_match(const MatchOptions& options) {
  check(options);
  const auto start = std::chrono::steady_clock::now();
  const auto seats = seatings(options.game->players());
  Blocks blocks(options);
  WorkerPool pool(thread_count(options, blocks.count()));
  pool.run([&](int /*worker*/) {
    try {
      Table table(options, seats);
      for (std::int64_t block = blocks.take(); block < blocks.count(); block = blocks.take()) {
        Tally tally = blocks.empty();
        const std::int64_t end = std::min(options.deals, (block + 1) * kBlock);
        for (std::int64_t deal = block * kBlock; deal < end; ++deal) table.play_deal(deal, tally);
        blocks.hand_in(block, std::move(tally));
      }
    } catch (...) {
      blocks.give_up();
      throw;
    }
  });
  const Tally& total = blocks.total();
  MatchResult result{.game = options.game->spec(), .unit = options.game->unit() + "/hand", .agents = total.agents};
  for (std::size_t a = 0; a < result.agents.size(); ++a) result.agents[a].spec = options.agents[a]->spec();
  result.deals = total.deals;
  result.episodes = total.episodes;
  result.hands_played = total.hands;
  result.seed = options.seed;
  result.duplicate = options.duplicate;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

double AgentResult::rate(std::string_view name) const {
  for (const Rate& each : rates)
    if (each.name == name) return each.denominator == 0 ? 0 : each.numerator / each.denominator;
  throw UsageError(fmt::format("there is no statistic '{}'", name));
}

nlohmann::json to_json(const MatchResult& result) {
  nlohmann::json json = {{"game", result.game},           {"hands", result.deals},
                         {"unit", result.unit},           {"hands_played", result.hands_played},
                         {"episodes", result.episodes},   {"seed", result.seed},
                         {"duplicate", result.duplicate}, {"seconds", result.seconds}};
  for (const AgentResult& agent : result.agents) {
    json["agents"].push_back(agent.spec);
    json["mean"].push_back(agent.mean());
    json["ci95"].push_back(number(agent.ci95()));
    nlohmann::json stats = nlohmann::json::object();
    for (const auto& [name, numerator, denominator] : agent.rates)
      stats[name] = denominator == 0 ? nlohmann::json(nullptr) : nlohmann::json(numerator / denominator);
    json["stats"].push_back(stats);
  }
  return json;
}

}  // namespace dealer
