#pragma once

#include <utility>
#include <vector>

#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// True if the decision puts the last chip of the player to act into the pot.
bool goes_all_in(const Env& env, const Decision& decision);

// Base of views of games in which a turn is one decision, played at once unless the view says otherwise.
class OneDecisionView : public TableView {
 public:
  OneDecisionView(Seats seats, const Style& style) : TableView(style), seats_(std::move(seats)) {}

  void begin_turn(const Env&) override { planned_.clear(); }
  void adopt(const Env& env, std::span<const Decision> decisions) override;
  bool undo() override;
  bool complete() const override { return !planned_.empty(); }
  bool at_once() const override { return true; }
  bool advised_one_by_one() const override { return true; }
  // Asks for confirmation of an all-in.
  std::string question(const Env& env) const override;
  std::string missing() const override { return "an action to choose"; }
  Decision next_decision(const Env&) const override { return planned_.at(0); }
  bool turn_goes_on(const Env&) const override { return false; }
  std::string describe(const Env& start, std::span<const Decision> decisions) const override;

 protected:
  const Seats& seats() const { return seats_; }
  const std::vector<Decision>& planned() const { return planned_; }
  void plan(const Decision& decision) { planned_ = {decision}; }
  void plan_also(const Decision& decision) { planned_.push_back(decision); }

 private:
  Seats seats_;
  std::vector<Decision> planned_;
};

}  // namespace dealer::terminal
