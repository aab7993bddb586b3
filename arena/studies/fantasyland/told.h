#pragma once

#include <fmt/format.h>

#include <string>

#include "agents/agent_registry.h"

namespace dealer::studies::fantasyland {

// The agent told to count Fantasyland so: a spec.
inline std::string told(const std::string& agent, double value) {
  Spec spec = parse_spec(agent);
  std::erase_if(spec.options, [](const auto& option) { return option.first == "fantasyland"; });
  spec.options.emplace_back("fantasyland", fmt::format("{}", value));
  return to_string(spec);
}

}  // namespace dealer::studies::fantasyland
