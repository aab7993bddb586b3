#include "frontends/terminal/generic_view.h"

#include <fmt/format.h>

#include "env/core/error.h"

namespace dealer::terminal {
namespace {

std::string legal_names(const Env& env) {
  std::string names;
  for (const Action action : env.legal_actions()) names += (names.empty() ? "" : ", ") + env.action_to_string(action);
  return names;
}

}  // namespace

std::string GenericView::picture(const Env& env) const {
  std::string text = env.to_string(seats_.me);
  if (!text.ends_with('\n')) text += '\n';
  if (env.current_player() != seats_.me) return text;
  text += fmt::format("you may: {}\n", legal_names(env));
  if (planned_) text += fmt::format("your plan: {}\n", bold(env.action_to_string(*planned_), style_));
  return text;
}

void GenericView::begin_turn(const Env&) { planned_.reset(); }
void GenericView::enter(const Env& env, std::string_view text) { planned_ = env.parse_action(text); }
void GenericView::adopt(const Env&, std::span<const Action> actions) {
  if (!actions.empty()) planned_ = actions.front();
}

bool GenericView::undo() {
  const bool had = planned_.has_value();
  planned_.reset();
  return had;
}

Action GenericView::next_action(const Env&) const { return planned_.value(); }
bool GenericView::same_turn(const Env&, const Env&) const { return false; }

std::string GenericView::describe(const Env& start, std::span<const Action> actions) const {
  const std::unique_ptr<Env> env = start.clone();
  std::string text;
  for (const Action action : actions) {
    text += (text.empty() ? "" : ", ") + env->action_to_string(action);
    env->step(action);
  }
  return text;
}

// What others did is in the picture, as far as it may be seen.
std::string GenericView::seen(const Env&, const Env&, Seat) const { return {}; }

std::string GenericView::hand_result(const Env& env) const {
  return env.current_player() == kTerminal ? env.to_string(seats_.me) : std::string();
}
std::string GenericView::episode_result(const Env&) const { return {}; }
std::string GenericView::rules() const { return "The rules are in docs/rules and in the file of the game.\n"; }
std::string GenericView::how_to_type() const { return "  NAME             the action of that name\n"; }

}  // namespace dealer::terminal
