#include "agents/tabular/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "env/core/error.h"

namespace dealer::tabular {

Policy uniform_policy(const GameTree& tree) {
  Policy policy{std::vector<double>(static_cast<std::size_t>(tree.sequences()), 1.0)};
  for (const GameTree::InformationSet& set : tree.sets())
    for (std::int32_t a = 0; a < set.actions; ++a)
      policy.probability[static_cast<std::size_t>(set.first + a)] = 1.0 / set.actions;
  return policy;
}

Policy policy_of(const GameTree& tree, Agent& agent) {
  if (agent.hears())
    throw UsageError("the agent has no policy that could be asked for: it hears events, observations are not enough");
  Policy policy{std::vector<double>(static_cast<std::size_t>(tree.sequences()), 1.0)};
  for (std::size_t s = 0; s < tree.sets().size(); ++s) {
    const GameTree::InformationSet& set = tree.sets()[s];
    agent.reset(set.seat, 0);
    const std::optional<std::vector<double>> said = agent.policy(tree.observation(static_cast<int>(s)));
    if (!said)
      throw UsageError(
          fmt::format("the agent has no policy: it does not say with which probability it plays what at '{}'",
                      tree.information_text(static_cast<int>(s))));
    double sum = 0;
    bool sound = said->size() == static_cast<std::size_t>(set.actions);
    for (const double p : *said) {
      sound = sound && p >= 0;
      sum += p;
    }
    if (!sound || !(std::abs(sum - 1) < 1e-6))
      throw UsageError(fmt::format("the agent's policy at '{}' is [{}]; expected {} probabilities that add up to 1",
                                   tree.information_text(static_cast<int>(s)), fmt::join(*said, ", "), set.actions));
    for (std::int32_t a = 0; a < set.actions; ++a)
      policy.probability[static_cast<std::size_t>(set.first + a)] = (*said)[static_cast<std::size_t>(a)] / sum;
  }
  return policy;
}

}  // namespace dealer::tabular
