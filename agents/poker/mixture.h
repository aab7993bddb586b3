#pragma once

#include <string>
#include <vector>

#include "agents/agent.h"
#include "env/core/registry.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// "mixture:A+B": a uniform mixture of agents of a betting game, drawn once per hand. The draw is a function of the
// dealt cards, suits included, so that every decision of a hand is the same agent's without any memory, and others
// cannot know which one it is. A counter-strategy against one agent is then seldom worth the risk of meeting another.
// Agents without values delegate to the first one with values; the mixture has a policy if all agents have one
// without a search. Throws UsageError if there are fewer than two agents, or one observes events; and what making
// them throws.
AgentFactoryPtr make_mixture_agents(const Spec& spec, const GamePtr& game);
bool plays_mixtures(const dealer::Game& game);
// The same for existing agents; `spec` is the name of the mixture.
AgentFactoryPtr make_mixture(std::string spec, std::vector<AgentFactoryPtr> members, const GamePtr& game);

// The index of the agent that plays the hand of an observation.
std::size_t drawn_member(const View& view, std::size_t members);

}  // namespace dealer::poker
