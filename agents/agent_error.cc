#include "agents/agent_error.h"

#include <array>

namespace dealer {

std::string_view name_of(FailureKind kind) {
  constexpr std::array<std::string_view, kFailureKinds> kNames = {"error", "illegal", "late", "malformed",
                                                                  "disconnected"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace dealer
