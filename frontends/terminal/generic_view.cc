#include "frontends/terminal/generic_view.h"

#include <fmt/format.h>

#include "frontends/terminal/event_text.h"

namespace dealer::terminal {
namespace {

std::string all_choices(const Env& env) {
  std::string text;
  for (const Choice& choice : env.choices()) {
    // A range of one amount is an action as well.
    if (choice.action == kNoAction && choice.amount.low == choice.amount.high) continue;
    text += (text.empty() ? "" : ", ") + choice.text;
    if (choice.action != kNoAction) continue;
    text += fmt::format(" any amount from {} to {}", choice.amount.low, choice.amount.high);
    if (choice.amount.step > 1) text += fmt::format(" in steps of {}", choice.amount.step);
  }
  return text;
}

}  // namespace

std::string GenericView::picture(const Env& env) const {
  std::string text = env.to_string(seats().me);
  if (!text.ends_with('\n')) text += '\n';
  return env.current_player() == seats().me ? text + fmt::format("you may: {}\n", all_choices(env)) : text;
}

void GenericView::enter(const Env& env, std::string_view text) { plan(env.parse_decision(text)); }
std::vector<std::string> GenericView::words(const Env& env) const {
  std::vector<std::string> words;
  for (const Choice& choice : env.choices()) words.push_back(choice.text);
  return words;
}

std::string GenericView::line_of(const Env& env, const Event& event) const {
  return event_text(event, env.game(), seats(), style());
}

std::string GenericView::hand_result(const Env&) const { return {}; }
std::string GenericView::rules() const { return "The rules are in docs/rules and in the file of the game.\n"; }
std::string GenericView::how_to_type() const {
  return "  TEXT             a choice by its text: call 10, raise to 250\n";
}

}  // namespace dealer::terminal
