#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/remote/link.h"
#include "env/core/registry.h"

namespace dealer::acpc {

// A TCP port that programs connect to.
class Listener {
 public:
  // Starts listening at once; port 0 picks any free port. Throws UsageError on a bad
  // address, Error if the port is taken.
  explicit Listener(const remote::Address& address);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  // The next connection; null if nobody has connected by the deadline.
  std::unique_ptr<remote::Link> accept(remote::Clock::time_point deadline) const;

 private:
  int fd_ = -1;
  int port_ = 0;
};

// Bots of the Annual Computer Poker Competition, docs/acpc.md: "acpc:PORT" or "acpc:HOST:PORT" listens there (0: any
// free port, reported by spec()) and lets the bot that connects play, one at a time. Options: move_time (seconds per
// answer) and start_time (seconds to connect). It listens from now on. Throws UsageError on a bad address, a bad option
// or a game that the protocol does not support, Error if the port is taken.
AgentFactoryPtr make_acpc_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::acpc
