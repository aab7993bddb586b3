#include "arena/tournament/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "arena/match.h"
#include "arena/tournament/report.h"
#include "arena/tournament/store.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/version.h"

namespace dealer::tournament {
namespace {

// Two participants, the first by name first, so that nothing depends on who was named first on the command line.
struct Meeting {
  const Participant *a, *b;
};

ClusteredRatio halved(const ClusteredRatio& points) {
  ClusteredRatio::Sums sums = points.sums();
  sums.y /= 2;
  sums.yy /= 4;
  sums.yn /= 2;
  return ClusteredRatio::of(sums);
}

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
  if (job.deals < 2) throw UsageError(fmt::format("{} deals for each pair; expected 2 or more", job.deals));
}

class Tournament {
 public:
  Tournament(const Job& job, Store& store, const Hooks& hooks)
      : job_(job), store_(store), hooks_(hooks), participants_(job.participants) {
    std::vector<StoredAgent> agents;
    for (const Participant& participant : participants_)
      agents.push_back({.name = participant.name,
                        .spec = participant.spec,
                        .file = participant.file.string(),
                        .digest = participant.digest,
                        .step = participant.step});
    store_.enter(agents);
    if (job.with_earlier_checkpoints) add_earlier_checkpoints();
    for (const auto& [a, b] : pairs_of(job.format, static_cast<int>(participants_.size())))
      add_meeting(participant(a), participant(b));
  }

  // False when it was stopped.
  bool play() {
    tell_missing();
    for (const Meeting& meeting : meetings_) {
      if (!play(meeting)) return false;
      ++over_;
    }
    return true;
  }

  std::int64_t pairs() const { return static_cast<std::int64_t>(meetings_.size()); }
  std::int64_t over() const { return over_; }

  Results results() const {
    Results results;
    results.game = job_.game->spec();
    results.unit = job_.game->unit() + "/hand";
    results.players = job_.game->players();
    results.seed = job_.seed;
    results.format = job_.format;
    results.version = version();
    for (const Participant& participant : participants_) {
      AgentStanding& agent = results.agents.emplace_back();
      agent.name = participant.name;
      agent.spec = participant.spec;
      agent.step = participant.step;
    }
    const auto count = static_cast<int>(participants_.size());
    for (int a = 0; a < count; ++a) {
      for (int b = a + 1; b < count; ++b) {
        if (const auto pair = store_.pair(participant(a).name, participant(b).name))
          results.pairs.push_back({estimate_of(a, b, pair->points), pair->deals, pair->hands, pair->failure});
      }
    }
    evaluate(results);
    return results;
  }

 private:
  const Participant& participant(int number) const { return participants_[static_cast<std::size_t>(number)]; }
  StoredPair stored(const Meeting& meeting) const {
    return store_.pair(meeting.a->name, meeting.b->name).value_or(StoredPair());
  }

  void add_earlier_checkpoints() {
    for (const StoredAgent& agent : store_.agents()) {
      const bool plays = std::any_of(participants_.begin(), participants_.end(),
                                     [&](const Participant& participant) { return participant.name == agent.name; });
      if (agent.step && !plays)
        participants_.push_back({agent.name, agent.spec, nullptr, agent.file, agent.digest, agent.step});
    }
  }

  void add_meeting(const Participant& a, const Participant& b) {
    if (a.factory && b.factory) meetings_.push_back(a.name < b.name ? Meeting{&a, &b} : Meeting{&b, &a});
  }

  bool is_finished(const StoredPair& pair) const {
    if (pair.deals >= job_.deals) return true;
    // Looked at between pieces only, so that it does not matter where a pair was stopped.
    const bool between_pieces = pair.deals > 0 && end_of_piece(pair.deals - 1) == pair.deals;
    return job_.until > 0 && between_pieces && pair.deals >= StoppingRule::kFewest &&
           pair.points.half_width95() <= job_.until;
  }

  void tell_missing() {
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
    match.progress = [this](std::int64_t deals) {
      if (hooks_.progress) hooks_.progress(done_ + deals);
    };
    return match;
  }

  // False when it was stopped.
  bool play(const Meeting& meeting) {
    for (StoredPair pair = stored(meeting); !is_finished(pair);) {
      if (hooks_.stop && hooks_.stop()) return false;
      MatchResult result;
      try {
        result = play_match(match_of(meeting, pair));
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        // What ends the program may have ended a bot, too.
        if (hooks_.stop && hooks_.stop()) return false;
        pair.failure = error.what();
        store_.put(meeting.a->name, meeting.b->name, pair);
        return true;
      }
      if (result.deals > 0) {
        pair.points.merge(halved(result.differences.front().points));
        pair.deals += result.deals;
        pair.hands += result.hands_played;
        pair.failure.clear();
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
  std::int64_t over_ = 0;  // meetings that were played to their end or to a failure
  std::int64_t done_ = 0;  // deals of this call
};

}  // namespace

Outcome run_tournament(const Job& job, const std::filesystem::path& folder, const Hooks& hooks) {
  check(job);
  Store store(folder, {job.game->id().rules, job.seed, job.move_time});
  Tournament tournament(job, store, hooks);
  Outcome outcome;
  outcome.interrupted = !tournament.play();
  outcome.pairs = tournament.pairs();
  outcome.finished = tournament.over();
  if (outcome.interrupted) return outcome;
  outcome.results = tournament.results();
  outcome.report = store.report();
  write_file(store.report(), report_of(outcome.results));
  write_file(store.results(), to_json(outcome.results).dump(2) + '\n');
  return outcome;
}

}  // namespace dealer::tournament
