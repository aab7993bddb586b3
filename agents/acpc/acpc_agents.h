#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/remote/link.h"
#include "env/core/registry.h"

namespace dealer::acpc {

// A TCP port that programs connect to.
class Listener {
 public:
  // Listens from now on; port 0: any that is free. Throws UsageError on a bad address, Error when the port
  // is taken.
  explicit Listener(const remote::Address& address);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  // The next that connects; null when nobody has by the deadline.
  std::unique_ptr<remote::Link> accept(remote::Clock::time_point deadline) const;

 private:
  int fd_ = -1;
  int port_ = 0;
};

// Bots of the Annual Computer Poker Competition, docs/acpc.md: "acpc:PORT" or "acpc:HOST:PORT" listens there (0: any
// free port, which spec() then tells) and lets the bot that connects play, one at a time. Options: move_time (seconds
// for an answer) and start_time (to connect). It listens from now on. Throws UsageError on a bad address, a bad
// option or a game that the protocol has not, Error when the port is taken.
AgentFactoryPtr make_acpc_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::acpc
