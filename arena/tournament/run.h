#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/tournament/participants.h"
#include "arena/tournament/results.h"

namespace dealer::tournament {

// The pairs of agents 0 .. agents-1, (a, b) with a < b, in playing order.
std::vector<std::pair<int, int>> pairs_of(Format format, int agents);

// The seating of the games of a deal between agents 0 and 1: [seating][seat]. With two players, both orders. At
// larger tables one agent sits alone among copies of the other: each in turn, once in every seat, with the same
// cards. So half the difference of their points is the points of a lone agent, averaged over both sides, and at a
// two-player table the agent's points.
std::vector<std::vector<int>> pair_seatings(int players);

// The seed of the deals between two agents, by name; the same for (a, b) and (b, a), whoever else plays. Each pair has
// separate deals, so that the pairs are independent.
std::uint64_t pair_seed(std::uint64_t seed, std::string_view a, std::string_view b);

// Long pairs are played in pieces, and the stopping condition is checked after each. Returns the end of the piece that
// contains deal `deals`: 64, 128, 256, 512, then about a quarter more each time, at most 16,384 more.
std::int64_t end_of_piece(std::int64_t deals);

// A tournament to be played.
struct Job {
  GamePtr game;
  std::vector<Participant> participants;
  // Includes checkpoints with stored pairs that no longer exist, so that the learning
  // curve of a run keeps its beginning.
  bool with_earlier_checkpoints = false;
  Format format = Format::kRoundRobin;
  std::int64_t deals = 1000;  // maximum per pair
  double until = 0;           // half the width of each pair's 95% interval, in points a hand; 0: all deals are played
  std::uint64_t seed = 0;
  double move_time = 0;  // seconds per decision; 0: no limit
  int threads = 1;       // 0: one per processor; does not change results
};

struct Hooks {
  // Called with the number of deals played in this call, first with 0.
  std::function<void(std::int64_t done)> progress;
  // Called with the number of decisions just played, in any thread.
  std::function<void(std::int64_t decisions)> decided;
  // Called with the number of missing deals, before the first `progress`. 0: unknown, with Job::until.
  std::function<void(std::int64_t missing)> begin;
  // Polled in any thread: true stops the tournament. The same call resumes it.
  std::function<bool()> stop;
};

struct Outcome {
  std::int64_t pairs = 0;     // to be played
  std::int64_t finished = 0;  // of these, including earlier calls
  bool interrupted = false;   // then the fields below are empty, and no results have been written
  Results results;
  std::filesystem::path report;
};

// Plays the deals missing in the folder and writes results.json and report.html. Equal jobs have equal results, for any
// number of threads and interruptions; a pair's points do not depend on the other agents.
//
// A pair in which an agent fails (FailureRule) is marked with the message, keeps its earlier deals, and is retried by
// the next call; the others continue.
//
// Throws UsageError with fewer than two agents or a duplicate name, and if the folder does not match; FileError.
Outcome run_tournament(const Job& job, const std::filesystem::path& folder, const Hooks& hooks = {});

}  // namespace dealer::tournament
