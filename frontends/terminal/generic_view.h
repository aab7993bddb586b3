#pragma once

#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {

// Any game, by the texts it has for itself and its events: a turn is one decision, typed by its text.
class GenericView final : public OneDecisionView {
 public:
  using OneDecisionView::OneDecisionView;

  std::string picture(const Env& env) const override;
  void enter(const Env& env, std::string_view text) override;
  std::vector<std::string> words(const Env& env) const override;
  std::string told(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;
};

}  // namespace dealer::terminal
