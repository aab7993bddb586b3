#pragma once

#include <string>

#include "agents/agent_error.h"
#include "env/core/env.h"

namespace dealer {

// The stand-in decision for an agent that has failed: the first legal choice of fold, check, call and the action with
// the lowest number. It depends on nothing but the position. Precondition: somebody is to act.
Decision give_up(const Env& env);

struct Failure {
  FailureKind kind;
  std::string what;
};
// The exception being handled, thrown by an agent.
Failure current_failure();

}  // namespace dealer
