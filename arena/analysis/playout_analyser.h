#pragma once

#include <memory>

#include "arena/analysis/analyser.h"

namespace dealer::analysis {

// By an agent that tells its policy, in betting games: hidden hands as likely as that policy makes what has happened
// (poker::Belief, small::Belief), every choice worth a look played on from each, everybody by the policy, with the same
// cards and random numbers. Throws UsageError when the agent tells no policy or hears events, or the game is of another
// family.
std::unique_ptr<Analyser> make_playout_analyser(const GamePtr& game, const AgentFactory& agents,
                                                std::int64_t simulations);
// Whether the game is of a family that can be judged so.
bool has_playout_analyser(const Game& game);

}  // namespace dealer::analysis
