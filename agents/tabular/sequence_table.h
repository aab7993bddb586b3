#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

// What solvers do with numbers by sequence.
namespace dealer::tabular {

// Probabilities in proportion to the weights, those below 0 counting as 0; uniform when none is above.
void normalise(const double* weights, std::int32_t count, double* probability);
Policy normalised(const GameTree& tree, std::span<const double> weights);

Tensor to_tensor(const std::vector<double>& numbers);
// So many finite numbers, none below `low`. Throws CheckpointError.
std::vector<double> read_numbers(const TensorFile& file, const std::string& tensor, std::int64_t count, double low);
// The iterations done. Throws CheckpointError.
std::int64_t read_iterations(const TensorFile& file);
void write_iterations(TensorFile& file, std::int64_t iterations);

}  // namespace dealer::tabular
