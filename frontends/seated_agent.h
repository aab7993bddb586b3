#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/table_loop.h"

namespace dealer {

// An agent at a seat of a table at which people play. It cannot end the session: its failures are handled as in matches
// (agents/table_loop.h). An agent without a single decision by the end of the session is an error: expect_decisions().
class SeatedAgent : private TableLoop {
 public:
  SeatedAgent(std::unique_ptr<Agent> agent, Seat seat);

  void begin_episode(std::uint64_t seed);
  // Notifies it of the end of the hand, also after it has given the hand up.
  void end_hand(Env& env);
  // Plays its decision and returns it in the words of Env::decision_to_string(). Precondition: its seat is to act.
  std::string play(Env& env);
  // Calls `what` with the agent, up to date with events; false when that fails or it has given the hand up.
  bool ask(Env& env, const std::function<void(Agent&)>& what);
  // The whole turn it would play, its decisions chosen one after the other while the turn goes on. It observes the
  // earlier ones as if they were played, and the real episode again before its next decision. Nothing when it fails or
  // has given the hand up. Precondition: its seat is to act.
  std::optional<std::vector<Decision>> plan_turn(const Env& env,
                                                 const std::function<Decision(Agent&, const Observation&)>& choose,
                                                 const std::function<bool(const Env&)>& goes_on);

  // True if it forfeits the rest of the episode: its reset() has failed, or kFailedHands hands have.
  bool forfeits() const { return place().failed_hands >= kFailedHands; }
  // Throws AgentFailure, naming the agent and its first failure, if it failed and none of its decisions was played.
  void expect_decisions(std::string_view spec) const { dealer::expect_decisions(spec, decided_, failures_); }
  // Takes the failure since the last call, a line; empty if there was none.
  std::string take_failure() { return std::exchange(failure_, {}); }

 private:
  void on_failure(LoopTable& table, Seat seat, FailureKind kind, std::string what) override;
  void on_forfeit(LoopTable& /*table*/, Seat /*seat*/) override {}
  void on_decision(LoopTable& table, const Decision& decision, bool own) override;
  TableSeat& place() { return table_.seats.back(); }
  const TableSeat& place() const { return table_.seats.back(); }
  void reset(std::uint64_t seed);

  Agent& agent_;
  Seat seat_;
  bool observes_;
  LoopTable table_;           // of its seats only the last is used, the agent's
  std::uint64_t seed_ = 0;    // of the episode
  std::uint64_t resets_ = 0;  // resets in this episode
  bool decided_ = false;
  std::string words_;  // of its last decision
  std::string failure_;
  FailureCounts failures_;
};

}  // namespace dealer
