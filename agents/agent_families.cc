#include "agents/agent_registry.h"
#include "agents/ofc/random_agent.h"
#include "agents/ofc/rule_agent.h"
#include "agents/ofc/value_agent.h"
#include "agents/poker/facts.h"
#include "agents/poker/rule_agent.h"
#include "agents/seven_hand/facts.h"
#include "agents/seven_hand/rule_agent.h"
#include "agents/seven_hand/search_play.h"
#include "agents/small/facts.h"
#include "agents/small/rule_agent.h"
#include "agents/small/trained_agent.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"
#include "env/games/small/game.h"

namespace dealer {
namespace {

template <small::Variant variant>
bool is_small(const Game& game) {
  return small::as_small(game, variant) != nullptr;
}

}  // namespace

// A new game adds its line here; a new kind of agent fills in a field.
const std::map<std::string, FamilyAgents, std::less<>>& agent_families() {
  static const std::map<std::string, FamilyAgents, std::less<>> kFamilies = {
      {"ofc",
       {.plays = [](const Game& game) { return ofc::as_ofc(game) != nullptr; },
        .random = ofc::make_random_agents,
        .rule = ofc::make_rule_agents,
        .styles = ofc::rule_styles,
        .trained = ofc::make_value_agents}},
      {"poker",
       {.plays = [](const Game& game) { return poker::as_poker(game) != nullptr; },
        .rule = poker::make_rule_agents,
        .styles = poker::rule_styles,
        .facts = poker::make_facts,
        .kinds = poker::action_kinds}},
      {"seven_hand",
       {.plays = [](const Game& game) { return seven_hand::as_seven_hand(game) != nullptr; },
        .rule = seven_hand::make_rule_agents,
        .facts = seven_hand::make_facts,
        .search = seven_hand::make_seven_hand_search}},
      {"kuhn",
       {.plays = is_small<small::Variant::kKuhn>,
        .rule = small::make_rule_agents,
        .trained = small::make_trained_agents}},
      {"leduc",
       {.plays = is_small<small::Variant::kLeduc>,
        .rule = small::make_rule_agents,
        .trained = small::make_trained_agents}},
      {"mini_draw",
       {.plays = is_small<small::Variant::kDraw>,
        .rule = small::make_rule_agents,
        .trained = small::make_trained_agents,
        .facts = small::make_draw_facts}},
  };
  return kFamilies;
}

}  // namespace dealer
