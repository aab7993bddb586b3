#pragma once

#include <vector>

#include "agents/agent.h"
#include "agents/tabular/game_tree.h"

namespace dealer::tabular {

// A mixed strategy for every seat: by sequence, the probability of its last move where its information set is reached;
// 1 for empty sequences. Those of an information set add up to 1.
struct Policy {
  std::vector<double> probability;  // [GameTree::sequences()]
};

// Every legal action with the same probability.
Policy uniform_policy(const GameTree& tree);

// What an agent would do, asked at every information set of every seat as for the first decision of an episode: by
// Agent::policy() with seed 0, or where it has none by Agent::act() with several seeds, whose answers must agree, since
// nobody can tell the probabilities of one that decides by chance. Throws UsageError when they do not, when the agent
// hears events, which a lone observation cannot replace, or when what it says is no distribution over the legal
// actions.
Policy policy_of(const GameTree& tree, Agent& agent);

}  // namespace dealer::tabular
