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
  // What our player has won or lost.
  Amount net = 0;
  // As the logs of the ACPC have it: "STATE:0:cc/cc/cc/cc:Td9s|AhKs/2c8c3h/9c/Kh:-10|10:opponent|default"; hands that
  // were not shown are left out.
  std::string line;
};

struct AcpcOptions {
  std::string server;      // "HOST:PORT"
  double start_time = 10;  // seconds to connect
  std::uint64_t seed = 0;  // of the agent
  std::function<void(const AcpcHand&)> on_hand;
  // Asked several times a second: true ends it.
  std::function<bool()> stop;
};

struct AcpcResult {
  std::int64_t hands = 0;  // whose end was told
  std::int64_t decisions = 0;
  std::int64_t chips = 0;  // won or lost
  // Of these, hands that cannot come about under the rules of the game: there it checked and called.
  std::int64_t strange = 0;
  std::string first_strange;  // why
  bool stopped = false;
  std::string failure;  // of the server, which ended it; empty: none
};

// Plays on a server of the ACPC (Protocol Specification 2.0.0) until it closes the connection. A server that ends
// within a hand, sends what is no line of the protocol or plays with other stacks ends it, too: `failure` says why.
// Throws UsageError when the protocol has no such game, AgentError when the server cannot be reached, and what the
// agent throws.
AcpcResult play_acpc(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options);

}  // namespace dealer
