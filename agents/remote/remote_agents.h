#pragma once

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::remote {

// Bots: programs behind the bot protocol, docs/bot-protocol.md. "exec:COMMAND" starts one, "tcp:HOST:PORT" and
// "ws:HOST:PORT/PATH" connect to one that listens. Options: move_time and start_time (seconds), memory (MiB).
// A bot that cannot be reached is no error here: its agents throw when they are seated. Throws UsageError on a bad
// command, address or option.
AgentFactoryPtr make_remote_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::remote
