#pragma once

#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {

// The view of any game, from the game's own texts and events: a turn is one decision, typed as its text.
class GenericView final : public OneDecisionView {
 public:
  using OneDecisionView::OneDecisionView;

  std::string picture(const Env& env) const override;
  void enter(const Env& env, std::string_view text) override;
  std::vector<std::string> words(const Env& env) const override;
  std::string line_of(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;
};

}  // namespace dealer::terminal
