#include "frontends/bot/bot_server.h"

#include <memory>
#include <utility>

#include "frontends/bot/bot_session.h"

namespace dealer {

BotServer::BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options)
    : PeerServer(options, {.new_session = [agents = std::move(agents), game = std::move(game)] {
                   return std::make_unique<BotSession>(agents, game);
                 }}) {}

}  // namespace dealer
