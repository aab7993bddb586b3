#include "agents/tabular/sequence_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"

namespace dealer::tabular {
namespace {

constexpr const char* kIterations = "state.iterations";

}  // namespace

void normalise(const double* weights, std::int32_t count, double* probability) {
  double sum = 0;
  for (std::int32_t a = 0; a < count; ++a) sum += std::max(0.0, weights[a]);
  const double factor = sum > 0 ? 1 / sum : 0, rest = sum > 0 ? 0 : 1.0 / count;
  for (std::int32_t a = 0; a < count; ++a) probability[a] = std::max(0.0, weights[a]) * factor + rest;
}

Policy normalised(const GameTree& tree, std::span<const double> weights) {
  Policy policy = uniform_policy(tree);
  for (const GameTree::InformationSet& set : tree.sets())
    normalise(&weights[static_cast<std::size_t>(set.first)], set.actions,
              &policy.probability[static_cast<std::size_t>(set.first)]);
  return policy;
}

Tensor to_tensor(const std::vector<double>& numbers) { return {{static_cast<std::int64_t>(numbers.size())}, numbers}; }

std::vector<double> read_numbers(const TensorFile& file, const std::string& tensor, std::int64_t count, double low) {
  const std::vector<double>& numbers = file.get<double>(tensor, {count});
  for (std::size_t s = 0; s < numbers.size(); ++s)
    if (!std::isfinite(numbers[s]) || numbers[s] < low)
      throw CheckpointError(fmt::format("{}: tensor '{}': number {} is {}; expected a finite one{}", file.name, tensor,
                                        s, numbers[s], low == 0 ? ", 0 or more" : ""));
  return numbers;
}

std::int64_t read_iterations(const TensorFile& file) {
  const std::int64_t iterations = file.get<std::int64_t>(kIterations, {}).front();
  if (iterations < 0)
    throw CheckpointError(fmt::format("{}: tensor '{}' is {}; expected 0 or more", file.name, kIterations, iterations));
  return iterations;
}

void write_iterations(TensorFile& file, std::int64_t iterations) {
  file.tensors[kIterations] = {{}, std::vector<std::int64_t>{iterations}};
}

}  // namespace dealer::tabular
