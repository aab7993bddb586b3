#include "arena/tournament/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "arena/match.h"
#include "arena/tournament/results.h"
#include "arena/tournament/store.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/version.h"

namespace dealer::tournament {
namespace {

// FNV-1a (Fowler, Noll, Vo).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

// A pair of participants sorted by name, so that nothing depends on their order on the command line.
struct Meeting {
  const Participant *a, *b;
};

void check(const Job& job) {
  std::vector<std::string> names;
  for (const Participant& participant : job.participants) {
    if (std::find(names.begin(), names.end(), participant.name) != names.end())
      throw UsageError(fmt::format("agent '{}' is given twice; an agent plays under one name", participant.name));
    names.push_back(participant.name);
  }
  if (names.size() < 2)
    throw UsageError(fmt::format("{} given; a tournament needs two agents or more",
                                 names.empty() ? "no agent" : fmt::format("agent '{}' alone", names.front())));
  if (job.deals < 2) throw UsageError(fmt::format("{} for each pair; expected 2 or more", counted(job.deals, "deal")));
}

class Tournament {
 public:
  Tournament(const Job& job, Store& store, const Hooks& hooks)
      : job_(job), store_(store), hooks_(hooks), participants_(job.participants) {
    store_.enter(participants_);
    if (job.with_earlier_checkpoints) add_earlier_checkpoints();
    for (const auto& [a, b] : pairs_of(job.format, static_cast<int>(participants_.size())))
      add_meeting(participant(a), participant(b));
  }

  Outcome play() {
    Outcome outcome;
    outcome.pairs = static_cast<std::int64_t>(meetings_.size());
    report_missing();
    for (const Meeting& meeting : meetings_) {
      outcome.interrupted = !play(meeting);
      if (outcome.interrupted) return outcome;
      ++outcome.finished;
    }
    outcome.results = results();
    return outcome;
  }

 private:
  Results results() const {
    Results results;
    results.game = job_.game->spec();
    results.unit = job_.game->unit() + "/hand";
    results.players = job_.game->players();
    results.seed = job_.seed;
    results.format = job_.format;
    results.version = version();
    for (const Participant& each : participants_) results.agents.push_back({each.name, each.spec, each.step});
    const auto count = static_cast<int>(participants_.size());
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b)
        if (const auto pair = store_.pair(participant(a).name, participant(b).name))
          results.pairs.push_back(
              {estimate_of(a, b, pair->points), pair->deals, pair->hands, pair->failure, pair->failed});
    evaluate(results);
    return results;
  }

  const Participant& participant(int number) const { return participants_[at(number)]; }
  StoredPair stored(const Meeting& meeting) const {
    return store_.pair(meeting.a->name, meeting.b->name).value_or(StoredPair());
  }

  void add_earlier_checkpoints() {
    for (const Participant& agent : store_.agents()) {
      const bool plays = std::any_of(participants_.begin(), participants_.end(),
                                     [&](const Participant& participant) { return participant.name == agent.name; });
      if (agent.step && !plays) participants_.push_back(agent);
    }
  }

  void add_meeting(const Participant& a, const Participant& b) {
    if (a.factory && b.factory) meetings_.push_back(a.name < b.name ? Meeting{&a, &b} : Meeting{&b, &a});
  }

  bool is_finished(const StoredPair& pair) const {
    if (pair.deals >= job_.deals) return true;
    // Checked only between pieces, so that it does not matter where a pair was interrupted.
    const bool between_pieces = pair.deals > 0 && end_of_piece(pair.deals - 1) == pair.deals;
    return job_.until > 0 && between_pieces && pair.deals >= StoppingRule::kFewest &&
           pair.points.half_width95() <= job_.until;
  }

  void report_missing() {
    std::int64_t missing = 0;
    for (const Meeting& meeting : meetings_) {
      const StoredPair pair = stored(meeting);
      if (!is_finished(pair)) missing += job_.deals - pair.deals;
    }
    if (hooks_.begin) hooks_.begin(job_.until > 0 ? 0 : missing);
    if (hooks_.progress) hooks_.progress(0);
  }

  MatchOptions match_of(const Meeting& meeting, const StoredPair& pair) const {
    MatchOptions match;
    match.game = job_.game;
    match.agents = {meeting.a->factory, meeting.b->factory};
    match.seating_plan = pair_seatings(job_.game->players());
    match.first_deal = pair.deals;
    match.deals = std::min(end_of_piece(pair.deals), job_.deals) - pair.deals;
    match.seed = pair_seed(job_.seed, meeting.a->name, meeting.b->name);
    match.threads = job_.threads;
    match.move_time = job_.move_time;
    match.strict = true;
    match.stop = hooks_.stop;
    match.decided = hooks_.decided;
    match.progress = [this](std::int64_t deals) {
      if (hooks_.progress) hooks_.progress(done_ + deals);
    };
    return match;
  }

  // Returns false if stopped.
  bool play(const Meeting& meeting) {
    for (StoredPair pair = stored(meeting); !is_finished(pair);) {
      if (hooks_.stop && hooks_.stop()) return false;
      MatchResult result;
      try {
        result = play_match(match_of(meeting, pair));
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        // A signal that ends the program may have ended a bot, too.
        if (hooks_.stop && hooks_.stop()) return false;
        pair.failure = error.what();
        const auto* const failure = dynamic_cast<const AgentFailure*>(&error);
        const auto is_failed = [&](const Participant* one) {
          return failure && failure->spec() == one->factory->spec();
        };
        pair.failed = is_failed(meeting.a) ? meeting.a->name : is_failed(meeting.b) ? meeting.b->name : "";
        store_.put(meeting.a->name, meeting.b->name, pair);
        return true;
      }
      if (result.deals > 0) {
        pair.points.merge(result.differences.front().points.scaled(0.5));
        pair.deals += result.deals;
        pair.hands += result.hands_played;
        pair.failure.clear();
        pair.failed.clear();
        store_.put(meeting.a->name, meeting.b->name, pair);
      }
      done_ += result.deals;
      if (result.interrupted) return false;
    }
    return true;
  }

  const Job& job_;
  Store& store_;
  const Hooks& hooks_;
  std::vector<Participant> participants_;
  std::vector<Meeting> meetings_;
  std::int64_t done_ = 0;  // deals of this call
};

}  // namespace

std::string_view name_of(Format format) { return format == Format::kRoundRobin ? "round_robin" : "gauntlet"; }

std::vector<std::pair<int, int>> pairs_of(Format format, int agents) {
  std::vector<std::pair<int, int>> pairs;
  const int firsts = format == Format::kGauntlet ? std::min(agents, 1) : agents;
  for (int a = 0; a < firsts; ++a)
    for (int b = a + 1; b < agents; ++b) pairs.emplace_back(a, b);
  return pairs;
}

std::vector<std::vector<int>> pair_seatings(int players) {
  std::vector<std::vector<int>> seatings;
  const auto seats = at(players);
  for (const int alone : {0, 1}) {
    for (std::size_t seat = 0; seat < seats; ++seat) {
      std::vector<int> seating(seats, 1 - alone);
      seating[seat] = alone;
      // At a two-player table the second agent alone is the first alone in the other seat.
      if (std::find(seatings.begin(), seatings.end(), seating) == seatings.end()) seatings.push_back(seating);
    }
  }
  return seatings;
}

std::uint64_t pair_seed(std::uint64_t seed, std::string_view a, std::string_view b) {
  if (b < a) std::swap(a, b);
  return derive(derive(seed, hash_of(a)), hash_of(b));
}

std::int64_t end_of_piece(std::int64_t deals) {
  constexpr std::int64_t kFirst = 64, kDoubled = 512, kMost = 16'384;
  std::int64_t end = kFirst;
  while (end <= deals)
    end += end < kDoubled ? end : std::min(std::max(end / 4 / kFirst, std::int64_t{1}) * kFirst, kMost);
  return end;
}

Outcome run_tournament(const Job& job, const std::filesystem::path& folder, const Hooks& hooks) {
  check(job);
  Store store(folder, {job.game->id().rules, job.seed, job.move_time});
  Outcome outcome = Tournament(job, store, hooks).play();
  if (outcome.interrupted) return outcome;
  outcome.report = store.folder().report();
  store.folder().write(to_json(outcome.results), report_of(outcome.results));
  return outcome;
}

}  // namespace dealer::tournament
