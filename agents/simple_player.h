#pragma once

#include <string_view>

#include "agents/agent.h"

namespace dealer {

// A player of one simple idea, "zoo:NAME": agents are tested against what is easy to think of.
struct SimplePlayer {
  std::string_view name;
  std::string_view what;  // the idea in a line, for people
  AgentFactoryPtr (*make)(const SimplePlayer& player, const std::string& spec, const GamePtr& game);
};

}  // namespace dealer
