#pragma once

#include <cstdint>
#include <string>

#include "agents/agent.h"

namespace dealer::cli {

// `dealer bot --acpc`.
struct AcpcPlay {
  std::string server;  // "HOST:PORT"
  std::string log;     // a file, or nothing
  std::uint64_t seed = 0;
  bool json = false;
};
void play_on_acpc_server(const AcpcPlay& play, const AgentFactoryPtr& agents, const GamePtr& game);

}  // namespace dealer::cli
