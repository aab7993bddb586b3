#pragma once

#include "agents/agent.h"
#include "env/core/game.h"

namespace dealer::test {

// An agent's value of its first hand, which distinguishes models.
inline double first_value(const AgentFactoryPtr& agent, const GamePtr& game) {
  const auto env = game->new_env();
  env->reset(1);
  return agent->make()->value(env->observe(env->current_player())).value();
}

}  // namespace dealer::test
