#include "cli/tree_options.h"

#include <fmt/format.h>

#include <limits>

#include "agents/agent.h"
#include "agents/agent_error.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/memory.h"

namespace dealer::cli {

namespace {

constexpr double kBytesPerNode = 100;  // approximately

}  // namespace

void add_tree_options(CLI::App* command, TreeOptions& options) {
  command
      ->add_option("GAME,--game", options.game,
                   "The game, with options in brackets: an argument or --game, one of them is required")
      ->required();
  add_number(command, "--max-nodes", options.max_nodes,
             "Refuse trees with more nodes; a node takes about 100 bytes of memory", 1,
             std::numeric_limits<std::int32_t>::max() - 1)
      ->capture_default_str();
}

tabular::GameTree make_tree(const GamePtr& game, const TreeOptions& options) {
  const std::int64_t nodes = tabular::count_nodes(*game, options.max_nodes);
  if (nodes > options.max_nodes)
    throw UsageError(fmt::format(
        "the tree of '{}' has more than {} nodes; --max-nodes allows more, a game with fewer cards, raises or actions "
        "has fewer",
        game->spec(), options.max_nodes));
  expect_memory(kBytesPerNode * static_cast<double>(nodes), fmt::format("the tree of '{}'", game->spec()),
                "a game with fewer cards, raises or actions needs less");
  if (nodes > 0) notify(fmt::format("{}: {} nodes", game->spec(), nodes));
  tabular::GameTree tree(*game, options.max_nodes);
  notify(fmt::format("{} information sets, {} sequences, {} of memory", tree.sets().size(), tree.sequences(),
                     memory_text(static_cast<double>(tree.memory()))));
  return tree;
}

std::string unit_of(const Game& game) { return game.unit() + "/hand"; }

tabular::Policy policy_of_agent(const tabular::GameTree& tree, const std::string& spec) {
  const AgentFactoryPtr agents = make_agents(spec, tree.game().shared_from_this());
  expect_there(*agents);
  const auto agent = agents->make();
  try {
    return tabular::policy_of(tree, *agent);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("agent '{}': {}", spec, error.what()));
  }
}

}  // namespace dealer::cli
