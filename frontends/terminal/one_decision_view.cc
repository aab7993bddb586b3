#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {

bool goes_all_in(const Env& env, const Decision& decision) {
  const Seat seat = env.current_player();
  const std::unique_ptr<Env> after = env.clone();
  const EventCursor before = after->cursor();
  after->step(decision);
  for (const Event& event : after->events(seat, before))
    if (event.kind == Event::Kind::kActed && event.seat == seat) return event.all_in;
  return false;
}

void OneDecisionView::adopt(const Env&, std::span<const Decision> decisions) {
  planned_.assign(decisions.begin(), decisions.end());
}

bool OneDecisionView::undo() {
  if (planned_.empty()) return false;
  planned_.pop_back();
  return true;
}

std::string OneDecisionView::question(const Env& env) const {
  return goes_all_in(env, planned_.at(0)) ? env.decision_to_string(planned_[0]) + ", all-in" : "";
}

std::string OneDecisionView::describe(const Env& start, std::span<const Decision> decisions) const {
  const std::unique_ptr<Env> env = start.clone();
  std::string text;
  for (const Decision& decision : decisions) {
    text += (text.empty() ? "" : ", ") + env->decision_to_string(decision);
    env->step(decision);
  }
  return text;
}

}  // namespace dealer::terminal
