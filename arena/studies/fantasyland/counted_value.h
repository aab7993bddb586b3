#pragma once

#include <fmt/format.h>

#include <string>

#include "agents/agent_registry.h"

namespace dealer::studies::fantasyland {

// The spec of the agent with its option `fantasyland` set to `value`.
inline std::string with_counted_value(const std::string& agent, double value) {
  Spec spec = parse_spec(agent);
  std::erase_if(spec.options, [](const auto& option) { return option.first == "fantasyland"; });
  spec.options.emplace_back("fantasyland", fmt::format("{}", value));
  return to_string(spec);
}

}  // namespace dealer::studies::fantasyland
