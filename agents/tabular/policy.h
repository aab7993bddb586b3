#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "agents/tabular/game_tree.h"

namespace dealer::tabular {

// A mixed strategy for every seat: by sequence, the probability of its last move given that its information set is
// reached; 1 for empty sequences. The probabilities of an information set sum to 1.
struct Policy {
  std::vector<double> probability;  // [GameTree::sequences()]
};

// Equal probability for every legal action.
Policy uniform_policy(const GameTree& tree);

// The policy of an agent, queried at every information set of every seat as for the first decision of an episode:
// through Agent::policy() with seed 0, or if it has none through Agent::act() with several seeds, whose answers
// must agree, since the probabilities of a randomising agent would be unknown. Throws UsageError if they do not
// agree, if the agent observes events, which a single observation cannot replace, or if its policy is not a
// distribution over the legal actions.
Policy policy_of(const GameTree& tree, Agent& agent);

// Helpers for solvers on numbers indexed by sequence.

// Probabilities proportional to the positive weights; uniform if no weight is positive.
void normalise(const double* weights, std::int32_t count, double* probability);
Policy normalised(const GameTree& tree, std::span<const double> weights);

// Number: float or double.
template <class Number>
Tensor to_tensor(const std::vector<Number>& numbers) {
  return {{static_cast<std::int64_t>(numbers.size())}, numbers};
}
// Reads `count` finite numbers, none below `low`. Throws CheckpointError.
template <class Number = double>
std::vector<Number> read_numbers(const TensorFile& file, const std::string& tensor, std::int64_t count, double low);
// The number of completed iterations. Throws CheckpointError.
std::int64_t read_iterations(const TensorFile& file);
void write_iterations(TensorFile& file, std::int64_t iterations);

}  // namespace dealer::tabular
