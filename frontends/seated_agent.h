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

// An agent at a seat of the table. It hears what its seat sees, and it cannot end the session. Where it throws or its
// decision is not legal it gives the hand up: its first legal action is played to the end of the hand; where its
// reset() throws, to the end of the episode. One that has not decided a single time by the end of the session is no
// opponent: expect_decisions().
class SeatedAgent {
 public:
  SeatedAgent(std::unique_ptr<Agent> agent, Seat seat);

  void begin_episode(std::uint64_t seed);
  void begin_hand() { failed_ = broken_; }
  // It hears how the hand ended, also when it gave it up.
  void end_hand(const Env& env);
  // Plays its decision and says it in the words of Env::decision_to_string(). Precondition: its seat is to act.
  std::string play(Env& env);
  // Does something with the agent when it has heard what happened before; false when that fails or it has given up.
  bool ask(const Env& env, const std::function<void(Agent&)>& what);
  // The turn that it would play, whose decisions are chosen one after the other as long as the turn goes on. It hears
  // of those before as if they were played, and of the real episode anew before it is asked again. Nothing when it
  // fails or has given up. Precondition: its seat is to act.
  std::optional<std::vector<Decision>> plan_turn(const Env& env,
                                                 const std::function<Decision(Agent&, const Observation&)>& choose,
                                                 const std::function<bool(const Env&)>& goes_on);

  // Its reset() has failed: nothing is asked of it in this episode.
  bool broken() const { return broken_; }
  // Throws AgentError, naming the agent and its first failure, where it failed and none of its decisions was played.
  void expect_decisions(std::string_view spec) const;
  // What has gone wrong since this was last asked, a line; empty when nothing has.
  std::string take_failure() { return std::exchange(failure_, {}); }

 private:
  bool attempt(const std::function<void(Agent&)>& what);
  bool tell(const Env& env);
  void reset(std::uint64_t seed);

  std::unique_ptr<Agent> agent_;
  Seat seat_;
  bool hears_;
  EventCursor heard_;
  std::uint64_t seed_ = 0;    // of the episode
  std::uint64_t resets_ = 0;  // in it
  bool broken_ = false;       // in this episode
  bool failed_ = false;       // in this hand
  bool decided_ = false;
  std::string failure_, first_failure_;
};

}  // namespace dealer
