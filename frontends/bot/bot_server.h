#pragma once

#include <memory>
#include <utility>

#include "frontends/bot/bot_session.h"
#include "frontends/bot/peer_server.h"

namespace dealer {

using BotServerOptions = PeerServerOptions;

// Serves our agent to hosts that connect by TCP or WebSocket. Each host has agents of its own.
class BotServer : public PeerServer {
 public:
  // Starts listening. Throws UsageError on a bad address or origin, Error when the port is taken.
  BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options)
      : PeerServer(options, {.new_session = [agents = std::move(agents), game = std::move(game)] {
                     return std::make_unique<BotSession>(agents, game);
                   }}) {}
};

}  // namespace dealer
