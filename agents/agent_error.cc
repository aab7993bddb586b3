#include "agents/agent_error.h"

#include <array>

#include "agents/agent.h"

namespace dealer {

std::string_view name_of(FailureKind kind) {
  constexpr std::array<std::string_view, kFailureKinds> kNames = {"error", "illegal", "late", "malformed",
                                                                  "disconnected"};
  return kNames[static_cast<std::size_t>(kind)];
}

void expect_there(const AgentFactory& agents) {
  naming_agent(agents.spec(), [&] { agents.expect_there(); });
}

}  // namespace dealer
