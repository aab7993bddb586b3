#include "env/core/env.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "env/core/env_text.h"
#include "env/core/error.h"

namespace dealer {
namespace {

std::string list_of(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    const bool amounts = choice.action == kNoAction;
    // A single amount is among the actions already.
    if (amounts && choice.amount.low == choice.amount.high) continue;
    text += (text.empty() ? "" : ", ") + choice.text;
    if (amounts) text += fmt::format(" {}..{}", choice.amount.low, choice.amount.high);
  }
  return text.empty() ? "nothing: nobody is to act" : text;
}

// Nothing when the text is no amount in the words of the range.
std::optional<Amount> amount_in(std::string_view text, const Choice& range) {
  if (!text.starts_with(range.text) || text.size() <= range.text.size() + 1 || text[range.text.size()] != ' ')
    return std::nullopt;
  text.remove_prefix(range.text.size() + 1);
  Amount amount = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return amount;
}

}  // namespace

std::vector<Action> Observation::legal_actions() const {
  std::vector<Action> actions;
  for (LegalMask mask = legal_mask; mask != 0; mask &= mask - 1)
    actions.push_back(static_cast<Action>(std::countr_zero(mask)));
  return actions;
}

Decision Env::parse_decision(std::string_view text) const {
  const std::vector<Choice> all = choices();
  for (const Choice& choice : all)
    if (choice.action != kNoAction && choice.text == text) return choice.action;
  if (!all.empty() && all.back().action == kNoAction) {
    if (const std::optional<Amount> amount = amount_in(text, all.back())) {
      if (all.back().amount.contains(*amount)) return Decision::bet_to(*amount);
      throw IllegalAction(illegal_amount_message(*amount, all.back().amount));
    }
  }
  throw IllegalAction(fmt::format("action '{}' is not legal; expected one of: {}", text, list_of(all)));
}

Action Env::parse_action(std::string_view text) const {
  const Decision decision = parse_decision(text);
  if (decision.is_amount())
    throw IllegalAction(fmt::format("'{}' is an amount that is not offered as an action", text));
  return decision.action;
}

std::string Env::decision_to_string(const Decision& decision) const {
  if (!decision.is_amount()) return action_to_string(decision.action);
  const std::vector<Choice> all = choices();
  const std::string words = all.empty() || all.back().action != kNoAction ? "bet" : all.back().text;
  return fmt::format("{} {}", words, decision.amount);
}

}  // namespace dealer
