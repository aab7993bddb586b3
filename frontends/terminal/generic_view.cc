#include "frontends/terminal/generic_view.h"

#include <fmt/format.h>

#include "frontends/terminal/betting_input.h"
#include "frontends/terminal/event_text.h"

namespace dealer::terminal {
namespace {

std::string all_choices(const Env& env) {
  std::string text;
  for (const Choice& choice : env.choices()) {
    // A range of one amount is an action, too.
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
  std::string text = env.to_string(seats_.me);
  if (!text.ends_with('\n')) text += '\n';
  return env.current_player() == seats_.me ? text + fmt::format("you may: {}\n", all_choices(env)) : text;
}

void GenericView::begin_turn(const Env&) { planned_.reset(); }
void GenericView::enter(const Env& env, std::string_view text) { planned_ = env.parse_decision(text); }
void GenericView::adopt(const Env&, std::span<const Decision> decisions) {
  if (!decisions.empty()) planned_ = decisions.front();
}

bool GenericView::undo() {
  const bool had = planned_.has_value();
  planned_.reset();
  return had;
}

std::string GenericView::question(const Env& env) const {
  return goes_all_in(env, planned_.value()) ? env.decision_to_string(*planned_) + ", all-in" : "";
}

std::vector<std::string> GenericView::words(const Env& env) const {
  std::vector<std::string> words;
  for (const Choice& choice : env.choices()) words.push_back(choice.text);
  return words;
}

Decision GenericView::next_decision(const Env&) const { return planned_.value(); }
bool GenericView::turn_goes_on(const Env&) const { return false; }

std::string GenericView::describe(const Env& start, std::span<const Decision> decisions) const {
  const std::unique_ptr<Env> env = start.clone();
  std::string text;
  for (const Decision& decision : decisions) {
    text += (text.empty() ? "" : ", ") + env->decision_to_string(decision);
    env->step(decision);
  }
  return text;
}

std::string GenericView::told(const Env& env, const Event& event) const {
  return event_text(event, env.game(), seats_, style_);
}

std::string GenericView::hand_result(const Env&) const { return {}; }
std::string GenericView::rules() const { return "The rules are in docs/rules and in the file of the game.\n"; }
std::string GenericView::how_to_type() const {
  return "  TEXT             a choice by its text: call 10, raise to 250\n";
}

}  // namespace dealer::terminal
