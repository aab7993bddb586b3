#pragma once

#include <memory>
#include <span>

#include "agents/agent.h"

namespace dealer {

// With which probability agents of a kind do what, asked for many observations together. They must not depend on what
// the agent has seen before.
class AgentPolicies {
 public:
  virtual ~AgentPolicies() = default;
  // Game::num_actions() numbers for every observation of a seat to act: 0 for what is not legal, together 1.
  virtual void ask(std::span<const Observation> seen, std::span<double> probability) = 0;
  // Whether they also say what a position is worth.
  virtual bool tells_values() const { return false; }
  // The same, and for every observer the return it expects from there, in the game's unit. Precondition:
  // tells_values().
  virtual void ask(std::span<const Observation> seen, std::span<double> probability, std::span<double> value);
};

// A factory that has something better than Agent::policy() for one observation after the other.
class TellsPolicies {
 public:
  virtual ~TellsPolicies() = default;
  virtual std::unique_ptr<AgentPolicies> make_policies() const = 0;
};

// Throws UsageError naming the agents when they hear events, which an observation cannot replace; asking throws it
// when they do not tell probabilities.
std::unique_ptr<AgentPolicies> make_policies(const AgentFactory& agents, const Game& game);
// Throws what making them and asking them would: some tell only when they are asked that they have no policy.
void check_policies(const AgentFactory& agents, const Game& game);

}  // namespace dealer
