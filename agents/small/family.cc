// The agents of this family of games, registered (docs/games.md).
#include "agents/agent_registry.h"
#include "agents/small/facts.h"
#include "agents/small/rule_agent.h"
#include "agents/small/trained_agent.h"
#include "env/games/small/game.h"

namespace dealer::small {

namespace {

template <Variant variant>
bool is(const dealer::Game& game) {
  return as_small(game, variant) != nullptr;
}

}  // namespace

void register_agents(AgentFamilies& families) {
  const auto family = [](bool (*plays)(const dealer::Game&)) {
    return FamilyAgents{.plays = plays, .rule = make_rule_agents, .trained = make_trained_agents};
  };
  families["kuhn"] = family(is<Variant::kKuhn>);
  families["leduc"] = family(is<Variant::kLeduc>);
  families["mini_draw"] = family(is<Variant::kDraw>);
  families["mini_draw"].facts = make_draw_facts;
}

}  // namespace dealer::small
