#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/table_loop.h"
#include "arena/confidence.h"
#include "arena/control_variates.h"

namespace dealer {

// A decision of a match and its text for hand histories: Env::decision_to_string() at the time of the decision.
struct PlayedDecision {
  Seat seat = 0;
  Decision decision;
  std::string text;
};

// One hand of a match as played, for hand histories.
struct PlayedHand {
  std::int64_t deal;   // first_deal .. first_deal + deals - 1
  std::uint64_t seed;  // of the episode: env.reset(seed), or MatchOptions::deal, reproduces the deal
  int seating;         // index of the seating within the deal
  int hand;            // within the episode, from 0
  const std::vector<int>& agent_of_seat;
  // The events and decisions of this hand. There are no decisions if antes put everybody all-in.
  std::span<const Event> events;  // from its beginning to its end, with all cards visible
  std::span<const PlayedDecision> decisions;
  const std::vector<double>& points;  // one per seat
  // The chance term of the points, one per seat, with control variates but without
  // imaginary hands; otherwise empty.
  std::span<const double> chance_terms = {};
};

struct MatchOptions {
  GamePtr game;
  // As many as the game has players; with `seating_plan` as many as the plan names.
  std::vector<AgentFactoryPtr> agents;
  // The seating of the games of a deal: [seating][seat] is an agent, possibly the same one in several
  // seats. Empty: seatings(players).
  std::vector<std::vector<int>> seating_plan;
  // The number of episodes: deal d is dealt from derive(seed, d).
  std::int64_t deals = 1000;
  std::uint64_t seed = 0;
  // The first deal: a match of deals 0 .. n-1 and one of m deals from n on combine to one of n + m.
  std::int64_t first_deal = 0;
  // Plays every deal once in every seating; otherwise once, with the seatings taking turns.
  bool duplicate = true;
  // Deals the cards at a new table; default: env.reset(seed). Called in any thread.
  std::function<void(Env& env, std::uint64_t seed, int seating)> deal;
  // 0: one per processor. Does not change the result.
  int threads = 1;
  // The number of tables that a thread plays side by side, so that its agents are queried for all of them at
  // once. 0: as many as the agents prefer (AgentFactory::tables_at_once). Does not change the result as long as
  // batches decide as single agents do.
  int num_envs = 0;
  // The time limit per decision in seconds, as measured by `clock` (default: the machine's); 0: no limit. The duration
  // of flush() is divided equally among all its requests.
  double move_time = 0;
  std::function<double()> clock;
  // Ends the match with an AgentFailure at the first failure of an agent.
  bool strict = false;
  // Called with the number of finished deals, not counting those before first_deal, in any thread but not concurrently
  std::function<void(std::int64_t done)> progress;
  // Called with the number of decisions just played, in any thread: shows progress during long deals.
  std::function<void(std::int64_t decisions)> decided;
  // Formats a hand as text (called in any thread); `log` receives the texts in the order of deals, seatings and hands.
  std::function<std::string(const PlayedHand&)> describe;
  std::function<void(std::string_view)> log;
  // Subtracts the chance terms from the points (ChanceTerms), with this many alternative deals of every card; 0: does
  // not. The estimate stays unbiased, the interval becomes narrower. Not with `deal`.
  int control_variates = 0;
  // With control variates, in two-player hold'em: also corrects for the hands held, with this many imaginary hands of
  // each player (ImaginaryHands), and the chance terms of the cards are averaged over them, with showdown values only
  // (`values` is not used). 0: does not. Strict.
  int other_hands = 0;
  // The state values of control variates; default: value_source("").
  std::optional<ValueSource> values;
  // Ends the match before all deals are played, between two blocks of deals: the result is the
  // same for any number of threads.
  StoppingRule stopping;
  // Polled in any thread: true stops the match early. The deals before the first unfinished one count, so that short
  // deals are not overrepresented.
  std::function<bool()> stop;
};

// Points per hand, without deals in which an agent failed: a stand-in move is not a measure of strength. Clustered by
// deal: its seatings share the cards, and the hands of an episode depend on each other.
struct PointsWon {
  ClusteredRatio points;
  ClusteredRatio as_dealt;  // without variance reduction; equal to points without control variates

  double mean() const { return points.ratio(); }
  double ci95() const { return points.half_width95(); }
  void merge(const PointsWon& later);
};

struct AgentResult : PointsWon {
  struct Rate {
    std::string name;
    double numerator = 0;
    double denominator = 0;
  };

  std::string spec;
  // The game's statistics(), summed over the hands that count.
  std::vector<Rate> rates;
  FailureCounts failures;
  bool decided = false;               // true if at least one of its decisions was played
  std::vector<std::string> warnings;  // AgentFactory::warnings()

  // Throws UsageError if the game has no such statistic; 0 if it never applied.
  double rate(std::string_view name) const;
};

// The difference between the winnings of two agents.
struct Difference : PointsWon {
  std::size_t a = 0, b = 0;  // agents; a < b
};

struct MatchResult {
  std::string game;
  std::string unit;      // "points/hand"
  double big_blind = 0;  // 0: the game has no big blind
  std::vector<AgentResult> agents;
  std::vector<Difference> differences;  // of every two agents
  std::int64_t deals = 0;               // played
  std::int64_t failed_deals = 0;        // of these: an agent failed in a hand of theirs, so they count for nothing
  std::int64_t episodes = 0;
  std::int64_t hands_played = 0;
  std::uint64_t seed = 0;
  bool duplicate = true;
  int control_variates = 0;
  std::string values;  // ValueSource::name(); empty without control variates
  int other_hands = 0;
  std::array<double, 3> card_scale{};  // coefficient of the chance terms at the end (CardScale)
  bool interrupted = false;            // by MatchOptions::stop, before all deals were played
  bool ended_early = false;            // by MatchOptions::stopping
  // The result of a sequential test.
  std::optional<SprtBounds> sprt;
  double llr = 0;
  SprtDecision decision = SprtDecision::kNone;
  double seconds = 0;

  std::int64_t counted_deals() const { return deals - failed_deals; }
};

// The default seatings of a deal: [seating][seat] is an agent. For two and three players all permutations, so that
// everybody also sits to the left of everybody; for more the rotations.
std::vector<std::vector<int>> seatings(int players);

// Plays the match. A deal in which an agent fails is played to its end and counted only under failures and
// failed_deals, not in points or rates, with all its seatings, since these share the cards. An agent's seed depends
// only on deal and seat, not on the agent, so that a policy against itself scores exactly 0: derive(derive(seed, deal)
// ^ a constant, seat). The points of an agent in several seats of a table are summed. Throws UsageError if the number
// of agents is not the number of players or an option is out of range; AgentFailure with `strict`, and if a failing
// agent has made no playable decision by the end of a block of deals; and what the makers of agents throw.
//
// Deals are assigned to the threads in blocks; a thread plays the games of a block in order, each table taking the next
// game when its own has ended, and begins the next block when all are done. So the composition of batches does not
// depend on time or on the number of threads.
MatchResult play_match(const MatchOptions& options);

// {game, agents, deals and hands (both: deals played), failed_deals, unit, mean, ci95, bb_per_100, bb_per_100_ci95,
// differences, stats, failures, remarks, seconds, hands_played, episodes, seed, duplicate, interrupted, ended_early},
// with a sequential test also llr and decision; unknown numbers are null.
nlohmann::json to_json(const MatchResult& result);

}  // namespace dealer
