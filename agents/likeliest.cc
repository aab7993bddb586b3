#include "agents/likeliest.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace dealer {

Decision likeliest_decision(Agent& agent, const Observation& observation) {
  const std::optional<std::vector<double>> policy = agent.policy(observation);
  const std::vector<Action> legal = observation.legal_actions();
  if (!policy || policy->size() != legal.size() || legal.empty()) return agent.act(observation);
  return legal[static_cast<std::size_t>(std::max_element(policy->begin(), policy->end()) - policy->begin())];
}

}  // namespace dealer
