#include "agents/tabular/solution_agent.h"

#include <bit>
#include <mutex>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/tabular/solution_file.h"
#include "agents/tabular/values.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer::tabular {
namespace {

// The file was no smaller.
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
    return std::span(policy_.probability)
        .subspan(static_cast<std::size_t>(set.first), static_cast<std::size_t>(set.actions));
  }

  // Worked out when somebody first asks.
  double value(const Observation& observation) const {
    std::call_once(valued_, [&] { values_ = action_values(tree_, policy_); });
    const GameTree::InformationSet& set = find(observation);
    double sum = 0;
    for (auto a = static_cast<std::size_t>(set.first); a < static_cast<std::size_t>(set.first + set.actions); ++a)
      sum += policy_.probability[a] * values_[a];
    return sum;
  }

 private:
  const GameTree::InformationSet& find(const Observation& observation) const {
    const int set = tree_.find(observation.player, observation.data);
    if (set < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    return tree_.sets()[static_cast<std::size_t>(set)];
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

AgentFactoryPtr make_solution_agents(const Spec& spec, const TensorFile& file, const GamePtr& game) {
  agent_options(spec).finish();
  return make_factory(to_string(spec), [solution = std::make_shared<const Solution>(file, *game)] {
    return std::make_unique<SolutionAgent>(solution);
  });
}

}  // namespace dealer::tabular
