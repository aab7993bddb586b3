#include "arena/action_shares.h"

#include <algorithm>

namespace dealer {
namespace {

void add_to(std::vector<std::pair<std::string, double>>& choices, const std::string& text, double weight) {
  const auto known = std::ranges::find(choices, text, &std::pair<std::string, double>::first);
  if (known != choices.end())
    known->second += weight;
  else
    choices.emplace_back(text, weight);
}

}  // namespace

void ActionShares::add(const Choice& choice, const std::string& text, double weight) {
  (choice.kind == "fold" ? fold : choice.kind == "check" || choice.kind == "call" ? call : raise) += weight;
  add_to(choices, text, weight);
}

void ActionShares::add(const ActionShares& other, double weight) {
  fold += weight * other.fold, call += weight * other.call, raise += weight * other.raise;
  for (const auto& [text, share] : other.choices) add_to(choices, text, weight * share);
}

void ActionShares::scale(double factor) {
  fold *= factor, call *= factor, raise *= factor;
  for (auto& [text, share] : choices) share *= factor;
}

const Choice& choice_of(const std::vector<Choice>& choices, const Decision& decision) {
  const auto choice = std::ranges::find_if(choices, [&](const Choice& one) {
    return decision.is_amount() ? one.action == kNoAction : one.action == decision.action;
  });
  if (choice == choices.end()) throw UsageError("the agent's decision is not legal");
  return *choice;
}

}  // namespace dealer
