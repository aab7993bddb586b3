#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <numeric>
#include <string>
#include <string_view>

#include "agents/agent_error.h"
#include "env/core/env.h"
#include "env/core/error.h"

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
//   - An agent that fails and has not decided a single time ends the match: all that it won, stand-in moves have won.
//
// Stand-in moves are legal moves: chips are conserved and nobody else notices. They depend on nothing but the position.
namespace dealer {

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
  using Error::Error;
};

// Throws AgentFailure where the agent has failed and none of its decisions was played, since it never answered, never
// in time or never legally.
void expect_decisions(std::string_view spec, bool decided, const FailureCounts& failures);

// What an agent has thrown.
struct Failure {
  FailureKind kind;
  std::string what;
};
// Of the exception that is being handled.
Failure failure();
// A message without the end of what is very long.
std::string shortened(std::string what);

// What is played for an agent that has failed. Precondition: somebody is to act.
Decision give_up(const Env& env);

}  // namespace dealer
