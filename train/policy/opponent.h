#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "agents/agent.h"
#include "agents/policy/policy_network.h"

namespace dealer {

// Who sits in the seats that do not learn: a past self, or an agent that is to be beaten. Keeps nothing between two
// calls, so that a training goes on from a file as if never stopped.
class Opponent {
 public:
  struct Question {
    Seat seat;
    LegalMask legal;
    std::span<const float> observation;
    std::span<const float> inputs;  // of the network: the observation and what the encoder makes of it
    std::uint64_t seed;             // for what is drawn at random
    float* probability;             // [actions] to be filled in
  };

  virtual ~Opponent() = default;
  virtual void decide(std::span<const Question> questions) = 0;
};

std::unique_ptr<Opponent> make_opponent(const PolicyNetwork& network);
// Any agent. It is asked for one of the actions, never for an amount between them. Throws UsageError when it hears
// events, which these tables do not tell.
std::unique_ptr<Opponent> make_opponent(const AgentFactory& agent, const Game& game);

}  // namespace dealer
