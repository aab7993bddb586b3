// The agents of this family of games, registered (docs/games.md).
#include "agents/agent_registry.h"
#include "agents/seven_hand/afterstate_inputs.h"
#include "agents/seven_hand/facts.h"
#include "agents/seven_hand/rule_agent.h"
#include "agents/seven_hand/search_play.h"
#include "agents/seven_hand/simple_players.h"
#include "agents/seven_hand/value_agent.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

void register_agents(AgentFamilies& families) {
  families["seven_hand"] = {.plays = [](const dealer::Game& game) { return as_seven_hand(game) != nullptr; },
                            .rule = make_rule_agents,
                            .zoo = simple_players,
                            .trained = make_value_agents,
                            .facts = make_facts,
                            .afterstates = make_afterstate_encoder,
                            .search = make_seven_hand_search};
}

}  // namespace dealer::seven_hand
