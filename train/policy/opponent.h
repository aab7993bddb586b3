#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "agents/agent.h"
#include "agents/policy/policy_network.h"

namespace dealer {

// The player in the seats that do not learn: a past self, or an agent to be beaten. Stateless between calls, so that a
// resumed training continues as if never stopped.
class Opponent {
 public:
  struct Question {
    Seat seat;
    LegalMask legal;
    std::span<const float> observation;
    std::span<const float> inputs;  // network inputs: the observation and the input features
    std::uint64_t seed;             // for random draws
    float* probability;             // [actions] output
  };

  virtual ~Opponent() = default;
  virtual void decide(std::span<const Question> questions) = 0;
};

std::unique_ptr<Opponent> make_opponent(const PolicyNetwork& network);
// An opponent from any agent. It is asked only for actions, never for an amount between them. Throws UsageError when
// the agent observes events, which these tables do not provide.
std::unique_ptr<Opponent> make_opponent(const AgentFactory& agent, const Game& game);

}  // namespace dealer
