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

// What happens when an agent of a match fails (FailureKind): it throws, its decision is not legal or comes too late, or
// a bot sends what is no answer or is not there any more.
//
//   - The decision is not played. The agent gives the hand up: for its seat the first legal choice of fold, check, call
//     and the action with the lowest number is played, to the end of the hand. It is not asked again in this hand.
//   - With the next hand of the episode it plays on. It hears what it has missed at the end of the hand.
//   - After kFailedHands failed hands in an episode, or when its reset() has thrown, it forfeits the rest: it is
//     neither asked nor told anything before the next episode.
//   - A hand fails once, whatever else happens in it. What hear() throws when a hand is over counts, too, and changes
//     no points.
//   - When flush() throws, all the tables fail that have no answer yet.
//   - Deals, and knockout tournaments, in which a hand has failed count under failures alone, never as strength of
//     the others: stand-in moves are nobody's play.
//   - An agent that fails and has not decided a single time ends the match.
//
// Stand-in moves are legal moves: chips are conserved and nobody else notices. They depend on nothing but the position.
inline constexpr int kFailedHands = 3;

// Failed hands of an agent by kind.
struct FailureCounts {
  std::array<std::int64_t, kFailureKinds> hands{};
  std::array<std::string, kFailureKinds> first;  // what went wrong, seat and deal, in the order of deals
  FailureKind earliest = FailureKind::kError;    // which of them came first of all
  std::int64_t forfeited = 0;                    // hands that were played for it after that, or for a failed reset()

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
  // Of the agent that failed.
  const std::string& spec() const { return spec_; }

 private:
  std::string spec_;
};

// Throws AgentFailure where the agent has failed and none of its decisions was played, since it never answered, never
// in time or never legally.
void expect_decisions(std::string_view spec, bool decided, const FailureCounts& failures);

// What is played for an agent that has failed. Precondition: somebody is to act.
Decision give_up(const Env& env);

// A seat of a table: whose agents play it, what they have heard, and whether they still play.
struct TableSeat {
  std::size_t batch = 0;  // add_batch()
  int slot = 0;           // the table among those of the batch
  EventCursor heard;
  int failed_hands = 0;
  bool failed = false;    // has given up the hand in progress
  bool forfeits = false;  // the hands to come, since kFailedHands have failed
};

// A table with a hand in progress, and the question that is put to the seat to act.
struct LoopTable {
  Env* env = nullptr;
  bool open = false;  // takes part in rounds
  std::vector<TableSeat> seats;
  Seat seat = 0;  // to act
  bool asked = false;
  Observation observation;
  Decision decision;
  double seconds = 0;  // that the decision took; 0 where nothing limits them
  Step step;
};

// How agents play many tables side by side, in matches and knockout tournaments: all open tables ask, every batch of
// agents answers all its tables at once, all tables move. What follows when an agent fails is told above.
class TableLoop {
 public:
  virtual ~TableLoop() = default;

 protected:
  // Seconds that a decision may take, 0: any time; and whose seconds, those of the wall by default.
  explicit TableLoop(double move_time = 0, std::function<double()> clock = {})
      : move_time_(move_time), clock_(std::move(clock)) {}

  // Returns the number of the batch.
  std::size_t add_batch(std::unique_ptr<AgentBatch> agents);

  // Before its first hand at this table. A seat whose agent throws forfeits the hands to come.
  void reset(LoopTable& table, Seat seat, std::uint64_t seed);
  // The seat forfeits the hands to come, since the exception that is being handled has come of making its agents.
  void forfeit(LoopTable& table, Seat seat);
  // A decision at every open table, of those that there are.
  void play_round(const std::vector<LoopTable*>& tables);
  // Tells all seats how the hand went, and who forfeits the next.
  void end_hand(LoopTable& table);

  // A hand has failed, for the first time. What is thrown here ends the loop.
  virtual void on_failure(LoopTable& table, Seat seat, FailureKind kind, std::string what) = 0;
  // A hand was played for a seat that had forfeited it.
  virtual void on_forfeit(LoopTable& table, Seat seat) = 0;
  // Plays the decision at the table and whatever follows from it; `own`: the agent's, not one played for it.
  virtual void on_decision(LoopTable& table, const Decision& decision, bool own) = 0;

 private:
  struct Batch {
    std::unique_ptr<AgentBatch> agents;
    bool hears = false;
    int asked = 0;  // questions since the last flush
  };

  Batch& batch(const LoopTable& table, Seat seat);
  double time() const;
  void ask(LoopTable& table);
  void flush(std::size_t batch, const std::vector<LoopTable*>& tables);
  void move(LoopTable& table);
  void check(LoopTable& table);
  void tell(LoopTable& table, Seat seat);
  void fail(LoopTable& table, Seat seat, FailureKind kind, std::string what);
  // Fails with what is being handled.
  void fail(LoopTable& table, Seat seat);

  double move_time_;
  std::function<double()> clock_;
  std::vector<Batch> batches_;
};

}  // namespace dealer
