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
  int a = 0, b = 0;  // participants
  std::int64_t ida = 0, idb = 0;
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
    ids_ = store_.enter(agents);
    if (job.with_earlier_checkpoints) add_earlier_checkpoints();
    for (const auto& [a, b] : pairs_of(job.format, static_cast<int>(participants_.size())))
      if (participant(a).factory && participant(b).factory) meetings_.push_back(meeting_of(a, b));
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
        const StoredPair pair = store_.pair(id(a), id(b));
        if (pair.id != 0)
          results.pairs.push_back({estimate_of(a, b, pair.points), pair.deals, pair.hands, pair.failure});
      }
    }
    evaluate(results);
    return results;
  }

 private:
  const Participant& participant(int number) const { return participants_[static_cast<std::size_t>(number)]; }
  std::int64_t id(int number) const { return ids_[static_cast<std::size_t>(number)]; }

  void add_earlier_checkpoints() {
    for (const StoredAgent& agent : store_.agents()) {
      if (!agent.step || std::find(ids_.begin(), ids_.end(), agent.id) != ids_.end()) continue;
      participants_.push_back({agent.name, agent.spec, nullptr, agent.file, agent.digest, agent.step});
      ids_.push_back(agent.id);
    }
  }

  Meeting meeting_of(int a, int b) const {
    if (participant(b).name < participant(a).name) std::swap(a, b);
    return {a, b, id(a), id(b)};
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
      const StoredPair pair = store_.pair(meeting.ida, meeting.idb);
      if (!is_finished(pair)) missing += job_.deals - pair.deals;
    }
    if (hooks_.begin) hooks_.begin(job_.until > 0 ? 0 : missing);
    if (hooks_.progress) hooks_.progress(0);
  }

  MatchOptions match_of(const Meeting& meeting, const StoredPair& pair) const {
    MatchOptions match;
    match.game = job_.game;
    match.agents = {participant(meeting.a).factory, participant(meeting.b).factory};
    match.seating_plan = pair_seatings(job_.game->players());
    match.first_deal = pair.deals;
    match.deals = std::min(end_of_piece(pair.deals), job_.deals) - pair.deals;
    match.seed = pair_seed(job_.seed, participant(meeting.a).name, participant(meeting.b).name);
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
    for (StoredPair pair = store_.pair(meeting.ida, meeting.idb); !is_finished(pair);
         pair = store_.pair(meeting.ida, meeting.idb)) {
      if (hooks_.stop && hooks_.stop()) return false;
      MatchResult result;
      try {
        result = play_match(match_of(meeting, pair));
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        // What ends the program may have ended a bot, too.
        if (hooks_.stop && hooks_.stop()) return false;
        store_.fail(pair, error.what());
        return true;
      }
      if (result.deals > 0)
        store_.add(pair, halved(result.differences.front().points), result.deals, result.hands_played);
      done_ += result.deals;
      if (result.interrupted) return false;
    }
    return true;
  }

  const Job& job_;
  Store& store_;
  const Hooks& hooks_;
  std::vector<Participant> participants_;
  std::vector<std::int64_t> ids_;  // of the participants in the folder
  std::vector<Meeting> meetings_;
  std::int64_t over_ = 0;  // meetings that were played to their end or to a failure
  std::int64_t done_ = 0;  // deals of this call
};

}  // namespace

Outcome run_tournament(const Job& job, const std::filesystem::path& folder, const Hooks& hooks) {
  check(job);
  Store store(folder, {job.game->spec(), job.game->id().rules, job.seed, job.move_time});
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
