#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::acpc {

// Bots of the Annual Computer Poker Competition, docs/acpc.md: "acpc:PORT" or "acpc:HOST:PORT" listens there (0: any
// free port, which spec() then tells) and lets the bot that connects play, one at a time. Options: move_time (seconds
// for an answer) and start_time (to connect). It listens from now on. Throws UsageError on a bad address, a bad
// option or a game that the protocol has not, Error when the port is taken.
AgentFactoryPtr make_acpc_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::acpc
