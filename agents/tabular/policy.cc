#include "agents/tabular/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "env/core/at.h"
#include "env/core/error.h"

namespace dealer::tabular {
namespace {

// The number of seeds tried at each set; a randomising agent is detected at one of many sets.
constexpr std::uint64_t kSeeds = 8;

std::vector<double> certain_policy(Agent& agent, const Observation& seen, const std::string& where) {
  const std::vector<Action> legal = seen.legal_actions();
  std::optional<Decision> first;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    agent.reset(seen.player, seed);
    const Decision decision = agent.act(seen);
    if (first && decision != *first)
      throw UsageError(fmt::format(
          "the agent acts at random but gives no action probabilities: at '{}' different seeds make it act differently",
          where));
    first = decision;
  }
  std::vector<double> certain(legal.size());
  std::transform(legal.begin(), legal.end(), certain.begin(),
                 [&](Action action) { return *first == Decision(action) ? 1.0 : 0.0; });
  if (std::count(certain.begin(), certain.end(), 1.0) != 1)
    throw UsageError(fmt::format("the agent's decision at '{}' is none of the legal actions", where));
  return certain;
}

constexpr const char* kIterations = "state.iterations";

}  // namespace

Policy uniform_policy(const GameTree& tree) {
  Policy policy{std::vector<double>(at(tree.sequences()), 1.0)};
  for (const GameTree::InformationSet& set : tree.sets())
    std::fill_n(policy.probability.begin() + set.first, set.actions, 1.0 / set.actions);
  return policy;
}

Policy policy_of(const GameTree& tree, Agent& agent) {
  if (agent.observes())
    throw UsageError("the agent's policy cannot be queried: it depends on events, not on observations alone");
  Policy policy{std::vector<double>(at(tree.sequences()), 1.0)};
  for (std::size_t s = 0; s < tree.sets().size(); ++s) {
    const GameTree::InformationSet& set = tree.sets()[s];
    const std::string& where = tree.information_text(static_cast<int>(s));
    const Observation seen = tree.observation(static_cast<int>(s));
    agent.reset(set.seat, 0);
    const std::optional<std::vector<double>> said = agent.policy(seen);
    const std::vector<double> probability = said ? *said : certain_policy(agent, seen, where);
    double sum = 0;
    bool sound = probability.size() == at(set.actions);
    for (const double p : probability) {
      sound = sound && p >= 0;
      sum += p;
    }
    if (!sound || !(std::abs(sum - 1) < 1e-6))
      throw UsageError(fmt::format("the agent's policy at '{}' is [{}]; expected {} probabilities that add up to 1",
                                   where, fmt::join(probability, ", "), set.actions));
    std::transform(probability.begin(), probability.end(), policy.probability.begin() + set.first,
                   [sum](double p) { return p / sum; });
  }
  return policy;
}

void normalise(const double* weights, std::int32_t count, double* probability) {
  double sum = 0;
  for (std::int32_t a = 0; a < count; ++a) sum += std::max(0.0, weights[a]);
  const double factor = sum > 0 ? 1 / sum : 0, rest = sum > 0 ? 0 : 1.0 / count;
  for (std::int32_t a = 0; a < count; ++a) probability[a] = std::max(0.0, weights[a]) * factor + rest;
}

Policy normalised(const GameTree& tree, std::span<const double> weights) {
  Policy policy = uniform_policy(tree);
  for (const GameTree::InformationSet& set : tree.sets())
    normalise(&weights[at(set.first)], set.actions, &policy.probability[at(set.first)]);
  return policy;
}

template <class Number>
std::vector<Number> read_numbers(const TensorFile& file, const std::string& tensor, std::int64_t count, double low) {
  const std::vector<Number>& numbers = file.get<Number>(tensor, {count});
  for (std::size_t s = 0; s < numbers.size(); ++s)
    if (!std::isfinite(numbers[s]) || static_cast<double>(numbers[s]) < low)
      throw CheckpointError(fmt::format("{}: tensor '{}': number {} is {}; expected a finite one{}", file.name, tensor,
                                        s, numbers[s], low == 0 ? ", 0 or more" : ""));
  return numbers;
}
template std::vector<float> read_numbers(const TensorFile&, const std::string&, std::int64_t, double);
template std::vector<double> read_numbers(const TensorFile&, const std::string&, std::int64_t, double);

std::int64_t read_iterations(const TensorFile& file) {
  if (!file.tensors.contains(kIterations))
    throw CheckpointError(
        fmt::format("{}: it contains the solution but not the state of its solver; expected a file of an interrupted "
                    "`dealer solve`, or of one with --state",
                    file.name));
  const std::int64_t iterations = file.get<std::int64_t>(kIterations, {}).front();
  if (iterations < 0)
    throw CheckpointError(fmt::format("{}: tensor '{}' is {}; expected 0 or more", file.name, kIterations, iterations));
  return iterations;
}

void write_iterations(TensorFile& file, std::int64_t iterations) {
  file.tensors[kIterations] = {{}, std::vector<std::int64_t>{iterations}};
}

}  // namespace dealer::tabular
