// An agent in one file, for docs/contributing.md: it takes the legal action of one rank (0: the lowest), and with a
// given probability any other legal action.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/agent_registry.h"
#include "env/core/random.h"

namespace dealer::examples {

class StubbornAgent final : public Agent {
 public:
  StubbornAgent(std::size_t rank, double noise) : rank_(rank), noise_(noise) {}

  // All randomness comes from this seed, so that every match can be repeated.
  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& seen) override {
    const std::vector<Action> legal = seen.legal_actions();
    const std::vector<double> probability = *policy(seen);
    double point = rng_.uniform();
    std::size_t action = 0;
    while (action + 1 < legal.size() && (point -= probability[action]) >= 0) ++action;
    return legal[action];
  }

  // Optional: exploitability, search and `dealer analyse` ask for the probabilities.
  std::optional<std::vector<double>> policy(const Observation& seen) override {
    const std::size_t legal = seen.legal_actions().size(), own = std::min(rank_, legal - 1);
    if (legal == 1) return std::vector<double>{1};
    std::vector<double> probability(legal, noise_ / static_cast<double>(legal - 1));
    probability[own] = 1 - noise_;
    return probability;
  }

 private:
  std::size_t rank_;
  double noise_;
  RandomStream rng_;
};

// Makes agents of "stubborn", "stubborn:last" and "stubborn[rank=2,noise=0.1]".
inline AgentFactoryPtr make_stubborn_agents(const Spec& spec, const GamePtr&) {
  Config options = agent_options(spec);
  const int rank = options.get_int<int>("rank", agent_argument(spec) == "last" ? 63 : 0, 0, 63);
  const double noise = options.get_double("noise", 0, 0, 1);
  options.finish();  // refuses options that do not exist
  return make_factory(to_string(spec), [=] { return std::make_unique<StubbornAgent>(rank, noise); });
}

}  // namespace dealer::examples
