#pragma once

#include <span>
#include <string_view>

#include "agents/agent.h"
#include "env/cards/card.h"
#include "env/core/registry.h"

namespace dealer::poker {

// A fixed choice with weak hands at the last draw, with unchanged play otherwise: two players that differ only in this
// measure the value of a piece of strategy advice.
struct DrawPreference {
  std::string_view name;  // "weak_pat"
  std::string_view what;  // for people, after "a player that"
  bool stands_pat;
};
std::span<const DrawPreference> draw_preferences();

// A description of the preference of that name; empty if there is none.
std::string_view what_is_preferred(std::string_view preference);

// True if standing pat with these five cards is a bluff in high games: a pair or less.
bool weak_high(std::span<const CardId> hand);
// The same in ace-to-five lowball: a queen or worse, or a pair.
bool weak_low(std::span<const CardId> hand);

// True for the option `prefers` of draw poker agents.
bool is_draw_preference(const dealer::Game& game, std::string_view key);
// `spec` has the option, `agents` plays all other decisions. Throws UsageError if the game has no draw, a deck other
// than the standard one or a ranking without a definition of weak hands, or if the agents have no policy; ConfigError.
AgentFactoryPtr make_preferring_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game);

}  // namespace dealer::poker
