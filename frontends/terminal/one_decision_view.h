#pragma once

#include <optional>
#include <utility>

#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// Whether the decision of the player to act puts its last chip in.
bool goes_all_in(const Env& env, const Decision& decision);

// Views of games in which a turn is one decision, played at once.
class OneDecisionView : public TableView {
 public:
  OneDecisionView(Seats seats, const Style& style) : TableView(style), seats_(std::move(seats)) {}

  void begin_turn(const Env&) override { planned_.reset(); }
  void adopt(const Env& env, std::span<const Decision> decisions) override;
  bool undo() override { return std::exchange(planned_, std::nullopt).has_value(); }
  bool complete() const override { return planned_.has_value(); }
  bool at_once() const override { return true; }
  // All-in is asked for.
  std::string question(const Env& env) const override;
  std::string missing() const override { return "an action to choose"; }
  Decision next_decision(const Env&) const override { return planned_.value(); }
  bool turn_goes_on(const Env&) const override { return false; }
  std::string describe(const Env& start, std::span<const Decision> decisions) const override;

 protected:
  const Seats& seats() const { return seats_; }
  const std::optional<Decision>& planned() const { return planned_; }
  void plan(const Decision& decision) { planned_ = decision; }

 private:
  Seats seats_;
  std::optional<Decision> planned_;
};

}  // namespace dealer::terminal
