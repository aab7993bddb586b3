#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/tournament/participants.h"
#include "arena/tournament/results.h"

namespace dealer::tournament {

// The pairs of agents 0 .. agents-1, (a, b) with a < b, in the order in which they are played.
std::vector<std::pair<int, int>> pairs_of(Format format, int agents);

// Who sits where in the games of a deal between agents 0 and 1: [seating][seat]. For two players both ways round. At
// larger tables one agent is alone among seats of the other: each is, once in every seat, with the same cards. So what
// an agent has won less what the other has, halved, is a lone agent's points, the mean of both sides, and at a table
// for two the agent's points.
std::vector<std::vector<int>> pair_seatings(int players);

// The seed of the deals between two agents, by name; the same for (a, b) and (b, a), whoever else plays. Each pair has
// deals of its own, so that the pairs are independent.
std::uint64_t pair_seed(std::uint64_t seed, std::string_view a, std::string_view b);

// Long pairs are played piece by piece, and after each it is looked whether they are known well enough. Where the piece
// that deal `deals` is in ends: 64, 128, 256, 512, then about a quarter more each time, at most 16,384 more.
std::int64_t end_of_piece(std::int64_t deals);

// A tournament that can be played.
struct Job {
  GamePtr game;
  std::vector<Participant> participants;
  // Also those checkpoints that the folder has pairs of and that are not there any more, so that the curve of a run
  // keeps its beginning.
  bool with_earlier_checkpoints = false;
  Format format = Format::kRoundRobin;
  std::int64_t deals = 1000;  // for each pair, at most
  double until = 0;           // half the width of each pair's 95% interval, in points a hand; 0: all deals are played
  std::uint64_t seed = 0;
  double move_time = 0;  // seconds for a decision; 0: no limit
  int threads = 1;       // 0: one for each processor; changes no result
};

struct Hooks {
  // Called with the deals played in this call, first before any is.
  std::function<void(std::int64_t done)> progress;
  // Called with how many decisions have just been played, in any thread.
  std::function<void(std::int64_t decisions)> decided;
  // Called with the deals that are missing, before the first `progress`. 0: nobody knows, with Job::until.
  std::function<void(std::int64_t missing)> begin;
  // Asked again and again, in any thread: true stops the tournament. The same call goes on with it.
  std::function<bool()> stop;
};

struct Outcome {
  std::int64_t pairs = 0;     // to be played
  std::int64_t finished = 0;  // of these, those of earlier calls included
  bool interrupted = false;   // then nothing below, and no results have been written
  Results results;
  std::filesystem::path report;
};

// Plays what the folder lacks and writes results.json and report.html. Equal jobs have equal results, whatever the
// threads and however often they were stopped; a pair's points do not depend on who else plays.
//
// A pair in which an agent fails (FailureRule) is marked with the message, keeps the deals that were played before, and
// is tried again by the next call; the others go on.
//
// Throws UsageError with fewer than two agents or the same name twice, and when the folder does not fit; FileError.
Outcome run_tournament(const Job& job, const std::filesystem::path& folder, const Hooks& hooks = {});

}  // namespace dealer::tournament
