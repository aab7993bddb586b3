#pragma once

#include "agents/agent_error.h"

namespace dealer {

// The agent has failed before and is gone for good: what it still has to play is forfeited, and no failure of its own.
class AgentGone : public AgentError {
 public:
  using AgentError::AgentError;
};

}  // namespace dealer
