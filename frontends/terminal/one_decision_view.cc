#include "frontends/terminal/one_decision_view.h"

#include "frontends/terminal/betting_choices.h"

namespace dealer::terminal {

void OneDecisionView::adopt(const Env&, std::span<const Decision> decisions) {
  if (!decisions.empty()) planned_ = decisions.front();
}

std::string OneDecisionView::question(const Env& env) const {
  return goes_all_in(env, planned_.value()) ? env.decision_to_string(*planned_) + ", all-in" : "";
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
