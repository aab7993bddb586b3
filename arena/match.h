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
#include "arena/confidence.h"
#include "arena/control_variates.h"
#include "arena/table_loop.h"

namespace dealer {

// A decision of a match, and its words for hand histories: Env::decision_to_string() where it was taken.
struct PlayedDecision {
  Seat seat = 0;
  Decision decision;
  std::string text;
};

// One hand of a match as it was played, for hand histories.
struct PlayedHand {
  std::int64_t deal;   // first_deal .. first_deal + deals - 1
  std::uint64_t seed;  // of the episode: env.reset(seed), or MatchOptions::deal, deals it again
  int seating;         // which of the seatings of the deal
  int hand;            // within the episode, from 0
  const std::vector<int>& agent_of_seat;
  // Of this hand. Nobody decides anything where antes put everybody all-in.
  std::span<const Event> events;  // from its beginning to its end, as those see it who see every card
  std::span<const PlayedDecision> decisions;
  const std::vector<double>& points;  // one a seat
  // What of them the luck of the cards was worth, one a seat, where control variates without other hands tell; or
  // empty.
  std::span<const double> luck = {};
};

struct MatchOptions {
  GamePtr game;
  // As many as the game has players; with `seating_plan` as many as that names.
  std::vector<AgentFactoryPtr> agents;
  // Who sits where in the games of a deal: [seating][seat] is an agent, the same one in several seats where it says so.
  // Empty: seatings(players).
  std::vector<std::vector<int>> seating_plan;
  // Episodes to deal: deal d is dealt from derive(seed, d).
  std::int64_t deals = 1000;
  std::uint64_t seed = 0;
  // The first to be played: a match of deals 0 .. n-1 and one of m deals from n on are one of n + m.
  std::int64_t first_deal = 0;
  // Every deal once in every seating; otherwise once, the seatings taking turns.
  bool duplicate = true;
  // Puts the cards of a game on a new table; left out: env.reset(seed). Called in any thread.
  std::function<void(Env& env, std::uint64_t seed, int seating)> deal;
  // 0: one for each processor. Does not change the result.
  int threads = 1;
  // Tables that a thread plays side by side, so that its agents are asked for all of them at once. 0: as many as the
  // agents ask for (AgentFactory::tables_at_once). Changes no result either, as long as batches decide as single
  // agents do.
  int num_envs = 0;
  // Seconds an agent may take for a decision, as `clock` tells them (left out: the machine's); 0: as many as it likes.
  // What flush() takes counts in equal shares for all it was asked.
  double move_time = 0;
  std::function<double()> clock;
  // Ends the match with an AgentFailure at the first failure of an agent.
  bool strict = false;
  // Called with the deals done, those before first_deal not counted, in no particular thread but never in two at once.
  std::function<void(std::int64_t done)> progress;
  // Called with how many decisions have just been played, in any thread: where deals take long, this goes on.
  std::function<void(std::int64_t decisions)> decided;
  // Turns a hand into text (called in any thread) and takes the texts in the order of deals, seatings and hands.
  std::function<std::string(const PlayedHand&)> describe;
  std::function<void(std::string_view)> log;
  // Takes out of what agents win what the luck of the cards was worth (ChanceTerms), measured by so many other deals of
  // every card that comes; 0: does not. The mean stays what it is, the interval becomes narrower. Not with `deal`.
  int control_variates = 0;
  // With control variates, in hold'em for two: what each player was lucky to hold is taken out, too, by so many other
  // hands of either (ImaginaryHands), and the luck of the cards is measured with all of them, by showdowns alone
  // (`values` is not asked). 0: is not. Strict.
  int other_hands = 0;
  // What positions are worth; left out: value_source("").
  std::optional<ValueSource> values;
  // Ends the match before all deals were played, between two blocks of deals: the result is the same for any number of
  // threads.
  StoppingRule stopping;
  // Asked again and again, in any thread: true ends the match early. Deals count from the first to the last before one
  // that was not played to its end, so that short deals do not count for more than long ones.
  std::function<bool()> stop;
};

// Points to hands played, without deals in which an agent failed: a stand-in move is no strength. A deal is a cluster:
// its seatings share the cards, the hands of an episode depend on each other.
struct PointsWon {
  ClusteredRatio points;
  ClusteredRatio as_dealt;  // with the luck of the cards; equal to points without control variates

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
  // The game's statistics() summed over the hands that count.
  std::vector<Rate> rates;
  FailureCounts failures;
  bool decided = false;              // at least once, in a way that could be played
  std::vector<std::string> remarks;  // AgentFactory::remarks()

  // Throws UsageError when the game has no such statistic; 0 when it never applied.
  double rate(std::string_view name) const;
};

// What one agent has won more than another.
struct Difference : PointsWon {
  std::size_t a = 0, b = 0;  // agents; a < b
};

struct MatchResult {
  std::string game;
  std::string unit;      // "points/hand"
  double big_blind = 0;  // 0: the game has none
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
  std::array<double, 3> card_scale{};  // by what the luck of the cards was multiplied in the end (CardScale)
  bool interrupted = false;            // by MatchOptions::stop, before all deals were played
  bool ended_early = false;            // by MatchOptions::stopping
  // Of a sequential test.
  std::optional<SprtBounds> sprt;
  double llr = 0;
  SprtDecision decision = SprtDecision::kNone;
  double seconds = 0;

  std::int64_t counted_deals() const { return deals - failed_deals; }
};

// Who sits where in the games played with one deal unless the options say otherwise: [seating][seat] is an agent. For
// two and three players all permutations, so that everybody also sits to the left of everybody; for more the rotations.
std::vector<std::vector<int>> seatings(int players);

// Plays the match. A deal in which an agent fails is played to its end and counted under failures and failed_deals, not
// in points or rates: in all its seatings, since these share the cards. An agent's seed depends on deal and seat alone,
// not on who it is, so that a policy against itself has exactly 0: derive(derive(seed, deal) ^ a constant, seat). Of an
// agent in several seats of a table all points count together. Throws UsageError when the agents are not as many as the
// players or an option is out of range; AgentFailure with `strict`, and where an agent that fails made no decision that
// could be played until the end of a block of deals; and what the makers of agents throw.
//
// Deals are handed out to the threads in blocks; a thread plays the games of a block in order, each table taking the
// next when its own has ended, and begins the next block when all are done. So who is asked together with whom does not
// depend on time or on the number of threads.
MatchResult play_match(const MatchOptions& options);

// {game, agents, deals and hands (both: deals played), failed_deals, unit, mean, ci95, bb_per_100, bb_per_100_ci95,
// differences, stats, failures, remarks, seconds, hands_played, episodes, seed, duplicate, interrupted, ended_early},
// of a sequential test llr and decision, too; null where nothing is known.
nlohmann::json to_json(const MatchResult& result);

}  // namespace dealer
