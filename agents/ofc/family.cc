// The agents of this family of games, registered (docs/games.md).
#include "agents/agent_registry.h"
#include "agents/ofc/random_agent.h"
#include "agents/ofc/rule_agent.h"
#include "agents/ofc/simple_players.h"
#include "agents/ofc/value_agent.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {

void register_agents(AgentFamilies& families) {
  families["ofc"] = {.plays = [](const dealer::Game& game) { return as_ofc(game) != nullptr; },
                     .random = make_random_agents,
                     .rule = make_rule_agents,
                     .styles = rule_styles,
                     .zoo = simple_players,
                     .trained = make_value_agents};
}

}  // namespace dealer::ofc
