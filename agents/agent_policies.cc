#include "agents/agent_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "env/core/error.h"

namespace dealer {
namespace {

class OneByOne final : public AgentPolicies {
 public:
  OneByOne(std::unique_ptr<Agent> agent, std::string spec, int actions)
      : agent_(std::move(agent)), spec_(std::move(spec)), actions_(static_cast<std::size_t>(actions)) {}

  void ask(std::span<const Observation> seen, std::span<double> probability) override {
    std::fill(probability.begin(), probability.end(), 0.0);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      agent_->reset(seen[i].player, 0);
      const std::optional<std::vector<double>> legal = agent_->policy(seen[i]);
      if (!legal)
        throw UsageError(
            fmt::format("agent '{}' does not say with which probability it does what; networks, solutions and random "
                        "players do",
                        spec_));
      double sum = 0;
      for (const double p : *legal) sum += p;
      std::size_t next = 0;
      for (LegalMask rest = seen[i].legal_mask; rest != 0; rest &= rest - 1)
        probability[i * actions_ + static_cast<std::size_t>(std::countr_zero(rest))] = (*legal)[next++] / sum;
    }
  }

 private:
  std::unique_ptr<Agent> agent_;
  std::string spec_;
  std::size_t actions_;
};

}  // namespace

void AgentPolicies::ask(std::span<const Observation>, std::span<double>, std::span<double>) {
  throw UsageError("the agent does not say what a position is worth");
}

std::unique_ptr<AgentPolicies> make_policies(const AgentFactory& agents, const Game& game) {
  expect_there(agents);
  std::unique_ptr<Agent> agent = agents.make();
  if (agent->hears())
    throw UsageError(fmt::format("agent '{}' hears the events of its table; expected one that decides by what it sees",
                                 agents.spec()));
  if (const auto* together = dynamic_cast<const TellsPolicies*>(&agents)) return together->make_policies();
  return std::make_unique<OneByOne>(std::move(agent), agents.spec(), game.num_actions());
}

void check_policies(const AgentFactory& agents, const Game& game) {
  const std::unique_ptr<AgentPolicies> policies = make_policies(agents, game);
  if (dynamic_cast<const TellsPolicies*>(&agents) != nullptr) return;
  const std::unique_ptr<Env> table = game.new_env();
  table->reset(0);
  const Observation seen = table->observe(table->current_player());
  std::vector<double> probability(static_cast<std::size_t>(game.num_actions()));
  policies->ask(std::span(&seen, 1), probability);
}

}  // namespace dealer
