#include "agents/agent.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "agents/evaluator.h"
#include "agents/search/search.h"

namespace dealer {
namespace {

// A single agent at every table.
class Singles final : public AgentBatch {
 public:
  explicit Singles(std::vector<std::unique_ptr<Agent>> agents) : agents_(std::move(agents)) {}
  void reset(int table, Seat seat, std::uint64_t seed) override { at(table).reset(seat, seed); }
  bool observes() const override { return agents_.front()->observes(); }
  void on_events(int table, std::span<const Event> events) override { at(table).on_events(events); }
  void add(int table, const Observation& observation, Decision& decision) override {
    decision = at(table).act(observation);
  }
  void flush() override {}

 private:
  Agent& at(int table) { return *agents_[static_cast<std::size_t>(table)]; }
  std::vector<std::unique_ptr<Agent>> agents_;
};

}  // namespace

EvaluatorAttributes AgentFactory::attributes() const { return {}; }
std::unique_ptr<PositionEvaluator> AgentFactory::make_evaluator() const { return nullptr; }
SearchMaker AgentFactory::make_search(const SearchSetup& /*setup*/) const { return {}; }

std::unique_ptr<AgentBatch> batch_of(std::vector<std::unique_ptr<Agent>> agents) {
  return std::make_unique<Singles>(std::move(agents));
}

std::unique_ptr<AgentBatch> AgentFactory::make_batch(int tables) const {
  std::vector<std::unique_ptr<Agent>> agents;
  agents.reserve(static_cast<std::size_t>(tables));
  for (int table = 0; table < tables; ++table) agents.push_back(make());
  return batch_of(std::move(agents));
}

std::string_view name_of(FailureKind kind) {
  constexpr std::array<std::string_view, kFailureKinds> kNames = {"error", "illegal", "late", "malformed",
                                                                  "disconnected"};
  return kNames[static_cast<std::size_t>(kind)];
}

void expect_there(const AgentFactory& agents) {
  naming_agent(agents.spec(), [&] { agents.expect_there(); });
}

Decision likeliest_decision(Agent& agent, const Observation& observation) {
  const std::optional<std::vector<double>> policy = agent.policy(observation);
  const std::vector<Action> legal = observation.legal_actions();
  if (!policy || policy->size() != legal.size() || legal.empty()) return agent.act(observation);
  return legal[static_cast<std::size_t>(std::max_element(policy->begin(), policy->end()) - policy->begin())];
}

}  // namespace dealer
