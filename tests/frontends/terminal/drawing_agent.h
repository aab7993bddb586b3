#pragma once

#include <memory>

#include "agents/agent_registry.h"
#include "env/core/random.h"

namespace dealer::test {

// An adviser whose every hint is any legal action, drawn anew: it tells no policy, unlike `random`, of whose equally
// likely actions hints lead with the lowest.
class DrawingAgent final : public Agent {
 public:
  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  Decision act(const Observation& observation) override {
    const std::vector<Action> legal = observation.legal_actions();
    return legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
  }

 private:
  RandomStream rng_{0};
};

inline AgentFactoryPtr drawing_agents() {
  return make_factory("drawing", [] { return std::make_unique<DrawingAgent>(); });
}

}  // namespace dealer::test
