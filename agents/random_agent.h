#pragma once

#include <optional>
#include <vector>

#include "agents/agent.h"
#include "env/core/random.h"
#include "env/core/registry.h"

namespace dealer {

// Plays every legal action with equal probability, in any game.
class RandomAgent : public Agent {
 public:
  void reset(Seat seat, std::uint64_t seed) override;
  Decision act(const Observation& observation) override;
  std::optional<std::vector<double>> policy(const Observation& observation) override;

 private:
  RandomStream rng_;
};

// Makes random agents. They have no options.
AgentFactoryPtr make_random_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer
