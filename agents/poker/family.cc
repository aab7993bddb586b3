// The agents of this family of games, registered (docs/games.md).
#include "agents/agent_registry.h"
#include "agents/poker/facts.h"
#include "agents/poker/rule_agent.h"
#include "agents/poker/simple_players.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

void register_agents(AgentFamilies& families) {
  families["poker"] = {.plays = [](const dealer::Game& game) { return as_poker(game) != nullptr; },
                       .rule = make_rule_agents,
                       .styles = rule_styles,
                       .zoo = simple_players,
                       .facts = make_facts,
                       .kinds = action_kinds};
}

}  // namespace dealer::poker
