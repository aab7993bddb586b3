#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "arena/match_failures.h"

namespace dealer {

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
// agents answers all its tables at once, all tables move. match_failures.h says what follows when an agent fails.
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
