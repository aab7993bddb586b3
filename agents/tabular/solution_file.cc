#include "agents/tabular/solution_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/tabular/values.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/random.h"

namespace dealer::tabular {
namespace {

constexpr const char* kProbability = "probability";
// Sums of single-precision probabilities are no more accurate.
constexpr double kAccuracy = 1e-5;

std::string checksum_text(const GameTree& tree) { return fmt::format("{:08x}", tree.checksum()); }

// The number of probabilities written: the last of a set is omitted.
std::int64_t stored(const GameTree& tree) {
  return tree.sequences() - tree.players() - static_cast<std::int64_t>(tree.sets().size());
}

void check_tree(const TensorFile& file, const GameTree& tree) {
  if (file.meta("tree") != checksum_text(tree))
    throw CheckpointError(
        fmt::format("{}: its information sets are others than those of '{}' here (checksum {}, expected {}); solve the "
                    "game again",
                    file.name, tree.game().spec(), file.meta("tree"), checksum_text(tree)));
}

template <class T>
T number(const TensorFile& file, const char* key) {
  const std::string& text = file.meta(key);
  const std::optional<T> value = number_in<T>(text);
  if (!value || !(*value >= 0))
    throw CheckpointError(fmt::format("{}: {} is '{}'; expected a number, 0 or more", file.name, key, text));
  return *value;
}

// The file would have been at least as large.
constexpr std::int32_t kMaxSolutionNodes = 1'000'000'000;

GameTree tree_for(const TensorFile& file, const Game& game) {
  check_solution_of(file, game);
  return GameTree(game, kMaxSolutionNodes);
}

class Solution {
 public:
  Solution(const TensorFile& file, const Game& game) : tree_(tree_for(file, game)), policy_(read_policy(file, tree_)) {}

  std::span<const double> probabilities(const Observation& observation) const {
    const GameTree::InformationSet& set = find(observation);
    return std::span(policy_.probability).subspan(at(set.first), at(set.actions));
  }

  // Computed on first use.
  double value(const Observation& observation) const {
    std::call_once(valued_, [&] { values_ = action_values(tree_, policy_); });
    const GameTree::InformationSet& set = find(observation);
    double sum = 0;
    for (auto a = at(set.first); a < at(set.first + set.actions); ++a) sum += policy_.probability[a] * values_[a];
    return sum;
  }

 private:
  const GameTree::InformationSet& find(const Observation& observation) const {
    const int set = tree_.find(observation.player, observation.data);
    if (set < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    return tree_.sets()[at(set)];
  }

  GameTree tree_;
  Policy policy_;
  mutable std::once_flag valued_;
  mutable std::vector<double> values_;
};

class SolutionAgent final : public Agent {
 public:
  explicit SolutionAgent(std::shared_ptr<const Solution> solution) : solution_(std::move(solution)) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  Decision act(const Observation& observation) override {
    const std::span<const double> probability = solution_->probabilities(observation);
    double rest = static_cast<double>(rng_.bits64() >> 11) * 0x1p-53;
    LegalMask legal = observation.legal_mask;
    for (const double p : probability) {
      rest -= p;
      if (rest < 0 || (legal & (legal - 1)) == 0) break;
      legal &= legal - 1;
    }
    return std::countr_zero(legal);
  }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    const std::span<const double> probability = solution_->probabilities(observation);
    return std::vector<double>(probability.begin(), probability.end());
  }
  std::optional<double> value(const Observation& observation) override { return solution_->value(observation); }

 private:
  std::shared_ptr<const Solution> solution_;
  RandomStream rng_;
};

}  // namespace

TensorFile to_file(const GameTree& tree, const Policy& policy, const SolutionInfo& info, const Solver* state) {
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!finite(info.exploitability) || !std::all_of(policy.probability.begin(), policy.probability.end(), finite))
    throw Error(fmt::format("{} holds a number that is not finite after {} iterations; the solution is not written",
                            info.algorithm, info.iterations));
  std::vector<float> numbers;
  numbers.reserve(at(stored(tree)));
  for (const GameTree::InformationSet& set : tree.sets())
    for (std::int32_t a = set.first; a + 1 < set.first + set.actions; ++a)
      numbers.push_back(static_cast<float>(policy.probability[at(a)]));
  TensorFile file;
  file.tensors[kProbability] = {{static_cast<std::int64_t>(numbers.size())}, std::move(numbers)};
  const GameId& id = tree.game().id();
  file.metadata = {{"format", kSolutionFormat},
                   {"game", id.family},
                   {"rules", id.rules},
                   {"tree", checksum_text(tree)},
                   {"algorithm", info.algorithm},
                   {"iterations", std::to_string(info.iterations)},
                   {"seed", std::to_string(info.seed)},
                   {"exploitability", fmt::format("{:.6g}", std::max(0.0, info.exploitability))}};
  if (state != nullptr) state->save(file);
  return file;
}

void check_solution_of(const TensorFile& file, const Game& game) {
  if (file.meta("format") != kSolutionFormat)
    throw CheckpointError(fmt::format("{}: its format is '{}', which is none for '{}'; expected '{}'", file.name,
                                      file.meta("format"), game.spec(), kSolutionFormat));
  if (file.meta("game") != game.id().family)
    throw CheckpointError(fmt::format("{}: it solves a game of '{}'; expected one of '{}'", file.name,
                                      file.meta("game"), game.id().family));
  if (file.meta("rules") != game.id().rules)
    throw CheckpointError(
        fmt::format("{}: it solves '{}' under other rules than those of '{}'; `dealer solve '{}' --out FILE` makes one "
                    "for these",
                    file.name, file.meta("game"), game.spec(), game.spec()));
}

Policy read_policy(const TensorFile& file, const GameTree& tree) {
  check_solution_of(file, tree.game());
  check_tree(file, tree);
  const std::vector<float>& numbers = file.get<float>(kProbability, {stored(tree)});
  Policy policy{std::vector<double>(at(tree.sequences()), 1.0)};
  auto next = numbers.begin();
  for (std::size_t s = 0; s < tree.sets().size(); ++s) {
    const GameTree::InformationSet& set = tree.sets()[s];
    double rest = 1;
    bool sound = true;
    for (std::int32_t a = set.first; a + 1 < set.first + set.actions; ++a) {
      const auto p = static_cast<double>(*next++);
      sound = sound && p >= 0 && p <= 1;
      rest -= policy.probability[at(a)] = p;
    }
    if (!sound || !(rest >= -kAccuracy))
      throw CheckpointError(
          fmt::format("{}: its probabilities at '{}' are not a distribution; expected numbers from 0 "
                      "to 1 that add up to at most 1",
                      file.name, tree.information_text(static_cast<int>(s))));
    rest = std::max(0.0, rest);
    policy.probability[at(set.first + set.actions - 1)] = rest;
    double sum = 0;
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a) sum += policy.probability[at(a)];
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a) policy.probability[at(a)] /= sum;
  }
  return policy;
}

SolutionInfo read_info(const TensorFile& file) {
  return {file.meta("algorithm"), number<std::int64_t>(file, "iterations"), number<std::uint64_t>(file, "seed"),
          number<double>(file, "exploitability")};
}

std::unique_ptr<Solver> read_solver(const TensorFile& file, const GameTree& tree, int threads) {
  check_solution_of(file, tree.game());
  check_tree(file, tree);
  const SolutionInfo info = read_info(file);
  std::unique_ptr<Solver> solver;
  try {
    solver = make_solver(info.algorithm, tree, {threads, info.seed});
  } catch (const UsageError& error) {
    throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
  }
  solver->load(file);
  return solver;
}

AgentFactoryPtr make_solution_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  agent_options(spec).finish();
  return make_solution_agents(read_safetensors(file), game, to_string(spec));
}

AgentFactoryPtr make_solution_agents(const TensorFile& file, const GamePtr& game, std::string spec) {
  return make_factory(std::move(spec), [solution = std::make_shared<const Solution>(file, *game)] {
    return std::make_unique<SolutionAgent>(solution);
  });
}

}  // namespace dealer::tabular
