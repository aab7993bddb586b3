#pragma once

#include <span>
#include <string_view>

#include "agents/agent.h"
#include "env/cards/card.h"
#include "env/core/registry.h"

namespace dealer::poker {

// What a player does with weak hands at the last draw wherever it can, playing else as it is: two players that differ
// in this alone show what a piece of advice is worth.
struct DrawPreference {
  std::string_view name;  // "weak_pat"
  std::string_view what;  // for people, after "a player that"
  bool stands_pat;
};
std::span<const DrawPreference> draw_preferences();

// What the preference of that name does; empty where there is none.
std::string_view what_is_preferred(std::string_view preference);

// Whether standing pat with five cards is a bluff where high cards are good: a pair or less.
bool weak_high(std::span<const CardId> hand);
// The same from ace to five: a queen or worse, or a pair.
bool weak_low(std::span<const CardId> hand);

// The option `prefers` of agents of draw poker.
bool is_draw_preference(const dealer::Game& game, std::string_view key);
// `spec` has the option, `agents` plays all other decisions. Throws UsageError when the game has no draw, a deck other
// than the standard one or a ranking whose weak hands are not known, or the agents tell no policy; ConfigError.
AgentFactoryPtr make_preferring_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game);

}  // namespace dealer::poker
