#pragma once

#include "agents/agent.h"
#include "frontends/bot/peer_server.h"

namespace dealer {

using BotServerOptions = PeerServerOptions;

// Serves our agent to hosts that connect by TCP or WebSocket. Each host has agents of its own.
class BotServer : public PeerServer {
 public:
  // Starts listening. Throws UsageError on a bad address or origin, Error when the port is taken.
  BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options);
};

}  // namespace dealer
