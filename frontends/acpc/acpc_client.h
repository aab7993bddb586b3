#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "agents/agent.h"

namespace dealer {

// A hand played on a server.
struct AcpcHand {
  std::uint32_t hand = 0;
  int position = 0;
  // Chips won or lost by our player.
  Amount net = 0;
  // In the format of the ACPC's logs: "STATE:0:cc/cc/cc/cc:Td9s|AhKs/2c8c3h/9c/Kh:-10|10:opponent|default"; hands that
  // were not shown are left out.
  std::string line;
};

struct AcpcOptions {
  std::string server;      // "HOST:PORT"
  double start_time = 10;  // seconds to connect
  std::uint64_t seed = 0;  // of the agent
  std::function<void(const AcpcHand&)> on_hand;
  // Polled several times a second: true ends the match.
  std::function<bool()> stop;
};

struct AcpcResult {
  std::int64_t hands = 0;  // hands finished, as reported by the server
  std::int64_t decisions = 0;
  std::int64_t chips = 0;  // won or lost
  // Number of these hands that are impossible under the rules of the game: our player checked and called.
  std::int64_t strange = 0;
  std::string first_strange;  // reason for the first of them
  bool stopped = false;
  std::string failure;  // failure of the server that ended the match; empty: none
};

// Plays on a server of the ACPC (Protocol Specification 2.0.0) until it closes the connection. Also ends if the server
// disconnects within a hand, sends a line that is not of the protocol or plays with other stacks: `failure` gives the
// reason. Throws UsageError when the protocol has no such game, AgentError when the server cannot be reached, and the
// agent's own errors.
AcpcResult play_acpc(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options);

}  // namespace dealer
