#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "agents/tabular/game_tree.h"

namespace dealer::tabular {

// A mixed strategy for every seat: by sequence, the probability of its last move where its information set is reached;
// 1 for empty sequences. Those of an information set add up to 1.
struct Policy {
  std::vector<double> probability;  // [GameTree::sequences()]
};

// Every legal action with the same probability.
Policy uniform_policy(const GameTree& tree);

// What an agent would do, asked at every information set of every seat as for the first decision of an episode: by
// Agent::policy() with seed 0, or where it has none by Agent::act() with several seeds, whose answers must agree, since
// nobody can tell the probabilities of one that decides by chance. Throws UsageError when they do not, when the agent
// hears events, which a lone observation cannot replace, or when what it says is no distribution over the legal
// actions.
Policy policy_of(const GameTree& tree, Agent& agent);

// What solvers do with numbers by sequence.

// Probabilities in proportion to the weights, those below 0 counting as 0; uniform when none is above.
void normalise(const double* weights, std::int32_t count, double* probability);
Policy normalised(const GameTree& tree, std::span<const double> weights);

// Number: float or double.
template <class Number>
Tensor to_tensor(const std::vector<Number>& numbers) {
  return {{static_cast<std::int64_t>(numbers.size())}, numbers};
}
// So many finite numbers, none below `low`. Throws CheckpointError.
template <class Number = double>
std::vector<Number> read_numbers(const TensorFile& file, const std::string& tensor, std::int64_t count, double low);
// The iterations done. Throws CheckpointError.
std::int64_t read_iterations(const TensorFile& file);
void write_iterations(TensorFile& file, std::int64_t iterations);

}  // namespace dealer::tabular
