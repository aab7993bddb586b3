#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agents/evaluator.h"
#include "env/core/game.h"

// An adviser's evaluation of the decision of the player to act, in lines. `policy`: its probability of each legal
// action, in the order of legal_actions(). Every text is empty if the policy belongs to another position.
namespace dealer::terminal {

// The most choices that a hint lists.
inline constexpr std::size_t kChoicesShown = 10;

// "the agent plays: call 62%, fold 38%", the likeliest first; empty if there is a single choice.
std::string policy_text(const Env& env, const std::string& agent, const std::vector<double>& policy);

// Every choice with its probability and its value, if `values` has exactly that action; the likeliest first.
std::string choices_text(const Env& env, const std::vector<double>& policy, const ActionValues& values);

// The turns in `values`, the best first.
std::string turns_text(const ActionValues& values);

}  // namespace dealer::terminal
