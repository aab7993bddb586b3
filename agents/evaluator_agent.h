#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/evaluator.h"
#include "env/core/game.h"
#include "env/core/random.h"

namespace dealer {

// Plays the policy of an evaluator. Precondition: the evaluator has a policy.
class EvaluatorAgent final : public Agent {
 public:
  EvaluatorAgent(std::unique_ptr<PositionEvaluator> evaluator, const Game& game);

  void reset(Seat seat, std::uint64_t seed) override;
  Decision act(const Observation& observation) override;
  std::optional<std::vector<double>> policy(const Observation& observation) override;
  std::optional<double> value(const Observation& observation) override;

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::vector<double> policy_;
  RandomStream rng_;
};

}  // namespace dealer
