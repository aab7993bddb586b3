#include "frontends/terminal/betting/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {
namespace {

// Small games omit the amount of a call.
std::string text_of_call(const Env& env, const Choice& call) {
  if (call.text.find_first_of("0123456789") != std::string::npos) return call.text;
  const nlohmann::json table = env.to_json(env.current_player()).at("table");
  return table.contains("to_call") ? fmt::format("{} {}", call.text, table.at("to_call").get<Amount>()) : call.text;
}

// "raise to 40, 60 .. 990 (r 40)"
std::string bets_text(const Choices& choices) {
  const std::string word = choices.bet_word();
  const Amount low = choices.lowest(), high = choices.highest();
  std::string text = choices.bet_words();
  if (low == high) return fmt::format("{} {} ({})", text, low, word[0] == 'c' ? 'r' : word[0]);
  if (choices.range.empty()) {
    for (const Choice* choice : choices.bets)
      text += fmt::format("{}{}", choice == choices.bets.front() ? " " : ", ", choice->amount.low);
    return fmt::format("{} ({} {})", text, word[0], low);
  }
  return fmt::format("{} {} .. {} ({} {})", text, low, high, word[0] == 'c' ? 'r' : word[0], low);
}

}  // namespace

Choices::Choices(const Env& env) : all_(env.choices()) {
  for (const Choice& choice : all_) {
    if (choice.kind == "fold") fold = &choice;
    if (choice.kind == "check") check = &choice;
    if (choice.kind == "call" || choice.kind == "bring_in") call = &choice;
    if (choice.kind == "keep") keep = &choice;
    if (choice.kind == "discard") discards.push_back(&choice);
    if (choice.amount.empty()) continue;
    if (choice.action == kNoAction)
      range = choice.amount;
    else
      bets.push_back(&choice);
  }
  if (call != nullptr) call_text = text_of_call(env, *call);
}

const Choice* Choices::pat() const {
  for (const Choice* choice : discards)
    if (choice->cards.empty()) return choice;
  return nullptr;
}

bool Choices::has(Verb verb) const {
  switch (verb) {
    case Verb::kFold:
      return fold != nullptr;
    case Verb::kCheck:
      return check != nullptr;
    case Verb::kCall:
      return call != nullptr;
    case Verb::kBet:
      return !bets.empty();
    case Verb::kAllIn:
      return any_amount();
    case Verb::kDiscard:
      return !discards.empty();
    case Verb::kPat:
      return pat() != nullptr;
    case Verb::kKeep:
      return keep != nullptr;
  }
  return false;
}

std::string choices_text(const Env& env) {
  const Choices choices(env);
  std::vector<std::string> texts;
  // Folding when a check is possible is legal but listed last.
  const bool free = choices.check != nullptr;
  if (choices.fold != nullptr && !free) texts.emplace_back("fold (f)");
  if (choices.check != nullptr) texts.emplace_back("check (k)");
  if (choices.call != nullptr)
    texts.push_back(fmt::format("{} ({})", choices.call_text, choices.call->kind == "bring_in" ? "b" : "c"));
  if (!choices.bets.empty()) texts.push_back(bets_text(choices));
  if (choices.any_amount() && goes_all_in(env, Decision::bet_to(choices.highest()))) texts.emplace_back("all-in (a)");
  if (choices.fold != nullptr && free) texts.emplace_back("fold (f)");
  if (choices.keep != nullptr) texts.push_back(choices.keep->text + " (k)");
  if (choices.discards_sets()) {
    texts.emplace_back("discard by number or card (d 1 3)");
    if (choices.pat() != nullptr) texts.emplace_back("stand pat (p)");
  } else {
    for (const Choice* choice : choices.discards) texts.push_back(choice->text + " (d)");
  }
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::vector<CardId> hand_in_order(const Env& env) {
  std::vector<CardId> hand;
  for (const Choice& choice : env.choices())
    if (choice.kind == "discard" && choice.cards.size() > hand.size()) hand = choice.cards;
  std::sort(hand.begin(), hand.end(), std::greater<>());
  return hand;
}

}  // namespace dealer::terminal
