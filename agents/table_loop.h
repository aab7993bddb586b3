#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/agent_error.h"
#include "env/core/env.h"
#include "env/core/error.h"

namespace dealer {

// The handling of agent failures in a match (FailureKind): the agent throws, its decision is illegal or late, or a bot
// sends something that is not an answer or has disconnected.
//
//   - The decision is not played. The agent gives the hand up: for its seat the first legal choice of fold, check, call
//     and the action with the lowest number is played, to the end of the hand. It is not asked again in this hand.
//   - It resumes with the next hand of the episode. The events that it has missed arrive at the end of the hand.
//   - After kFailedHands failed hands in an episode, or when its reset() has thrown, it forfeits the rest: it is
//     neither asked for a decision nor notified of events before the next episode.
//   - A hand fails at most once. What on_events() throws when a hand is over counts, too, and changes
//     no points.
//   - When flush() throws, all the tables fail that have no answer yet.
//   - Deals, and knockout tournaments, with a failed hand count only under failures, never as strength of
//     the others: stand-in moves are nobody's play.
//   - An agent that fails and has not decided a single time ends the match.
//
// Stand-in moves are legal moves: chips are conserved and nobody else notices. They depend on nothing but the position.
inline constexpr int kFailedHands = 3;

// Failed hands of an agent by kind.
struct FailureCounts {
  std::array<std::int64_t, kFailureKinds> hands{};
  std::array<std::string, kFailureKinds> first;  // the message with seat and deal, in the order of deals
  FailureKind earliest = FailureKind::kError;    // the kind of the first failure
  std::int64_t forfeited = 0;                    // hands played for it after that, or after a failed reset()

  std::int64_t failed() const { return std::accumulate(hands.begin(), hands.end(), std::int64_t{0}); }
  void merge(const FailureCounts& later);
  void count(FailureKind kind, std::string what);
};
// {error, illegal, late, malformed, disconnected, forfeited, first: {kind: message}}
nlohmann::json to_json(const FailureCounts& failures);

// Ends a strict match, and any match in which an agent never decided; the message names agent, seat and deal.
class AgentFailure : public Error {
 public:
  AgentFailure(const std::string& what, std::string spec) : Error(what), spec_(std::move(spec)) {}
  // The spec of the agent that failed.
  const std::string& spec() const { return spec_; }

 private:
  std::string spec_;
};

// Throws AgentFailure if the agent has failed and none of its decisions was played, since
// none was given, in time or legal.
void expect_decisions(std::string_view spec, bool decided, const FailureCounts& failures);

inline constexpr std::size_t kNoBatch = ~std::size_t{0};

// A seat of a table: its batch of agents, the events already delivered, and its failure state.
struct TableSeat {
  std::size_t batch = kNoBatch;  // index from add_batch(); kNoBatch: no agent of this loop
  int slot = 0;                  // index of the table in the batch
  EventCursor observed;
  int failed_hands = 0;
  bool failed = false;    // has given up the current hand
  bool forfeits = false;  // forfeits future hands, after kFailedHands failures
};

// A table with a hand in progress, and the request to the seat to act.
struct LoopTable {
  Env* env = nullptr;
  bool open = false;  // takes part in rounds
  std::vector<TableSeat> seats;
  Seat seat = 0;  // to act
  bool asked = false;
  Observation observation;
  Decision decision;
  double seconds = 0;  // duration of the decision; 0 without a time limit
  Step step;
};

// Plays many tables side by side: all open tables request a decision, every batch of agents answers all its tables at
// once, all tables move. Failures are handled as described above. Matches and knockout tournaments have many tables,
// an agent that plays against people has one (frontends/seated_agent.h).
class TableLoop {
 public:
  virtual ~TableLoop() = default;

 protected:
  // The time limit per decision in seconds, 0: none; and its clock, by default the wall clock.
  explicit TableLoop(double move_time = 0, std::function<double()> clock = {})
      : move_time_(move_time), clock_(std::move(clock)) {}

  // Returns the index of the batch.
  std::size_t add_batch(std::unique_ptr<AgentBatch> agents);

  // Resets the agent before its first hand at this table. A seat whose agent throws forfeits all hands.
  void reset(LoopTable& table, Seat seat, std::uint64_t seed);
  // Forfeits all hands of the seat, because making its agents threw the exception being handled.
  void forfeit(LoopTable& table, Seat seat);
  // Plays one decision at every open table in `tables`.
  void play_round(const std::vector<LoopTable*>& tables);
  // Delivers the events since the last call to the agent at the seat.
  void notify(LoopTable& table, Seat seat);
  // Delivers the final events of the hand to all seats, and determines which seats forfeit the next one.
  void end_hand(LoopTable& table);
  // Handles the current exception as a failure of the seat.
  void fail(LoopTable& table, Seat seat);

  // Called when a hand fails for the first time. An exception thrown here ends the loop.
  virtual void on_failure(LoopTable& table, Seat seat, FailureKind kind, std::string what) = 0;
  // Called when a hand was played for a seat that had forfeited it.
  virtual void on_forfeit(LoopTable& table, Seat seat) = 0;
  // Plays the decision at the table and its consequences; `own`: made by the agent, not by a stand-in.
  virtual void on_decision(LoopTable& table, const Decision& decision, bool own) = 0;

 private:
  struct Batch {
    std::unique_ptr<AgentBatch> agents;
    bool observes = false;
    int asked = 0;  // requests since the last flush
  };

  Batch& batch(const LoopTable& table, Seat seat);
  double time() const;
  void ask(LoopTable& table);
  void flush(std::size_t batch, const std::vector<LoopTable*>& tables);
  void move(LoopTable& table);
  void check(LoopTable& table);
  void fail(LoopTable& table, Seat seat, FailureKind kind, const std::string& what);

  double move_time_;
  std::function<double()> clock_;
  std::vector<Batch> batches_;
};

}  // namespace dealer
