#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"

namespace dealer {

// An agent at a seat of the table. It observes the events its seat sees, and it cannot end the session. If it throws or
// its decision is illegal it forfeits the hand: its first legal action is played to the end of the hand; if its reset()
// throws, to the end of the episode. An agent without a single decision by the end of the session is an error:
// expect_decisions().
class SeatedAgent {
 public:
  SeatedAgent(std::unique_ptr<Agent> agent, Seat seat);

  void begin_episode(std::uint64_t seed);
  void begin_hand() { failed_ = broken_; }
  // Notifies it of the end of the hand, also after it has forfeited.
  void end_hand(const Env& env);
  // Plays its decision and returns it in the words of Env::decision_to_string(). Precondition: its seat is to act.
  std::string play(Env& env);
  // Calls `what` with the agent, up to date with events; false when that fails or it has forfeited.
  bool ask(const Env& env, const std::function<void(Agent&)>& what);
  // The whole turn it would play, its decisions chosen one after the other while the turn goes on. It observes the
  // earlier ones as if they were played, and the real episode again before its next decision. Nothing when it fails or
  // has forfeited. Precondition: its seat is to act.
  std::optional<std::vector<Decision>> plan_turn(const Env& env,
                                                 const std::function<Decision(Agent&, const Observation&)>& choose,
                                                 const std::function<bool(const Env&)>& goes_on);

  // True if its reset() has failed: it is not asked again in this episode.
  bool broken() const { return broken_; }
  // Throws AgentError, naming the agent and its first failure, if it failed and none of its decisions was played.
  void expect_decisions(std::string_view spec) const;
  // Takes the failure since the last call, a line; empty if there was none.
  std::string take_failure() { return std::exchange(failure_, {}); }

 private:
  bool attempt(const std::function<void(Agent&)>& what);
  bool notify(const Env& env);
  void reset(std::uint64_t seed);

  std::unique_ptr<Agent> agent_;
  Seat seat_;
  bool observes_;
  EventCursor observed_;
  std::uint64_t seed_ = 0;    // of the episode
  std::uint64_t resets_ = 0;  // resets in this episode
  bool broken_ = false;       // in this episode
  bool failed_ = false;       // in this hand
  bool decided_ = false;
  std::string failure_, first_failure_;
};

}  // namespace dealer
