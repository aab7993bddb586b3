#include "agents/random_agent.h"

#include <bit>

#include "agents/agent_registry.h"
#include "agents/search/play.h"
#include "env/core/error.h"

namespace dealer {

void RandomAgent::reset(Seat /*seat*/, std::uint64_t seed) { rng_ = RandomStream(seed); }

Decision RandomAgent::act(const Observation& observation) {
  if (observation.legal_mask == 0) throw UsageError("there is nothing to choose: the observer is not to act");
  return any_of(observation.legal_mask, rng_);
}

std::optional<std::vector<double>> RandomAgent::policy(const Observation& observation) {
  const auto legal = static_cast<std::size_t>(std::popcount(observation.legal_mask));
  return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
}

AgentFactoryPtr make_random_agents(const Spec& spec, const GamePtr& /*game*/) {
  agent_options(spec).finish();
  return make_factory(to_string(spec), [] { return std::make_unique<RandomAgent>(); });
}

}  // namespace dealer
