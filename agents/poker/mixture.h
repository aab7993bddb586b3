#pragma once

#include <string>
#include <vector>

#include "agents/agent.h"
#include "env/core/registry.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// "mixture:A+B": several agents of a betting game, each as likely as the others to play a hand. Which one does is drawn
// by the cards that the seat was dealt, in suits and all, so that every decision of a hand is the same agent's without
// anything to be remembered, and others cannot know it. What beats one of them is then seldom worth the risk of meeting
// another. Those that cannot say what a position is worth leave that to the first who can; probabilities are told where
// all tell them without a search. Throws UsageError when there are fewer than two, or one hears events; and what
// making them throws.
AgentFactoryPtr make_mixture_agents(const Spec& spec, const GamePtr& game);
bool plays_mixtures(const dealer::Game& game);
// The same of agents that are made already; `spec` is what they are called together.
AgentFactoryPtr make_mixture(std::string spec, std::vector<AgentFactoryPtr> members, const GamePtr& game);

// Which of so many agents plays the hand of an observation.
std::size_t drawn_member(const View& view, std::size_t members);

}  // namespace dealer::poker
