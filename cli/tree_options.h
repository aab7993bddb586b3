#pragma once

#include <string>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"
#include "cli/options.h"
#include "env/core/game.h"

namespace dealer::cli {

// Shared by commands that walk the whole tree of a game.
struct TreeOptions {
  std::string game;
  std::int32_t max_nodes = tabular::GameTree::kMaxNodes;
};
void add_tree_options(CLI::App* command, TreeOptions& options);
// Prints the size of the tree on standard error. Throws UsageError when it is too large, or when the game has none.
tabular::GameTree make_tree(const GamePtr& game, const TreeOptions& options);

// "chips/hand"
std::string unit_of(const Game& game);
// The policy of that agent at every information set. Throws UsageError naming the spec.
tabular::Policy policy_of_agent(const tabular::GameTree& tree, const std::string& spec);

}  // namespace dealer::cli
