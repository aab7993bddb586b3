#include "cli/evaluation.h"

#include <nlohmann/json.hpp>

#include "agents/tabular/game_tree.h"
#include "arena/exploitability.h"
#include "arena/match.h"
#include "train/interrupt.h"

namespace dealer::cli {

Evaluation play_evaluation(const AgentFactoryPtr& agent, const std::string& opponent, const GamePtr& game, int deals,
                           std::uint64_t seed) {
  MatchOptions match;
  match.game = game;
  match.agents = {agent};
  while (static_cast<int>(match.agents.size()) < game->players()) match.agents.push_back(make_agents(opponent, game));
  match.deals = deals;
  match.seed = seed;
  match.threads = 0;
  match.strict = true;
  match.stop = InterruptGuard::requested;
  const MatchResult result = play_match(match);
  return {result.agents[0].mean(), result.agents[0].ci95(), to_json(result), result.interrupted};
}

std::optional<double> measure_exploitability(const AgentFactoryPtr& agent, const GamePtr& game) {
  if (!tabular::has_tree(*game)) return {};
  const tabular::GameTree tree(*game);
  return exploitability(tree, *agent->make()).exploitability;
}

}  // namespace dealer::cli
