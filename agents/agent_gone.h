#pragma once

#include "agents/agent_error.h"

namespace dealer {

// The agent has failed before and is gone for good: its remaining hands are forfeited and are not new failures.
class AgentGone : public AgentError {
 public:
  using AgentError::AgentError;
};

}  // namespace dealer
