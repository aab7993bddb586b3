#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "env/core/env.h"
#include "env/core/error.h"

namespace dealer {

// The frequencies with which an agent folds; checks or calls; bets, raises or completes. They sum to 1.
struct ActionShares {
  double fold = 0, call = 0, raise = 0;
  std::vector<std::pair<std::string, double>> choices;  // in words

  void add(const Choice& choice, const std::string& text, double weight);
  void add(const ActionShares& other, double weight);
  void scale(double factor);
};

// Calls add(decision, probability) for the agent's possible decisions: from its policy, or else from several
// sampled decisions (then returns true). Throws UsageError if the number of probabilities of its policy is
// not the number of legal actions.
template <class Add>
bool ask_agent(Agent& agent, const Observation& seen, Add&& add) {
  constexpr std::uint64_t kDraws = 8;
  agent.reset(seen.player, 0);
  if (const std::optional<std::vector<double>> policy = agent.policy(seen)) {
    const std::vector<Action> legal = seen.legal_actions();
    if (policy->size() != legal.size())
      throw UsageError("the agent's policy has " + std::to_string(policy->size()) + " probabilities; expected " +
                       std::to_string(legal.size()));
    for (std::size_t i = 0; i < legal.size(); ++i) add(Decision(legal[i]), (*policy)[i]);
    return false;
  }
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    agent.reset(seen.player, draw);
    add(agent.act(seen), 1.0 / static_cast<double>(kDraws));
  }
  return true;
}

// The choice of the table that matches a decision. Throws UsageError if there is none.
const Choice& choice_of(const std::vector<Choice>& choices, const Decision& decision);

}  // namespace dealer
