#include "agents/agent_registry.h"
#include "agents/ofc/random_agent.h"
#include "agents/ofc/rule_agent.h"
#include "agents/ofc/value_agent.h"
#include "env/games/ofc/game.h"

namespace dealer {

// A new game adds its line here; a new kind of agent fills in a field.
const std::map<std::string, FamilyAgents, std::less<>>& agent_families() {
  static const std::map<std::string, FamilyAgents, std::less<>> kFamilies = {
      {"ofc",
       {.plays = [](const Game& game) { return ofc::as_ofc(game) != nullptr; },
        .random = ofc::make_random_agents,
        .rule = ofc::make_rule_agents,
        .trained = ofc::make_value_agents}},
  };
  return kFamilies;
}

}  // namespace dealer
