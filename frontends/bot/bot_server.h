#pragma once

#include "agents/agent.h"
#include "frontends/bot/peer_server.h"

namespace dealer {

using BotServerOptions = PeerServerOptions;

// An agent of ours for hosts that connect by TCP or WebSocket. Each has agents of its own.
class BotServer : public PeerServer {
 public:
  // Listens from now on. Throws UsageError on a bad address or origin, Error when the port is taken.
  BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options);
};

}  // namespace dealer
