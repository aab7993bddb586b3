#pragma once

#include "agents/agent.h"
#include "env/core/game.h"

namespace dealer::test {

// What an agent thinks its first hand is worth: tells one model from another.
inline double first_value(const AgentFactoryPtr& agent, const GamePtr& game) {
  const auto env = game->new_env();
  env->reset(1);
  return agent->make()->value(env->observe(env->current_player())).value();
}

}  // namespace dealer::test
