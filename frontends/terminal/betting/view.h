#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontends/terminal/betting/odds_text.h"
#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/betting/text.h"
#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {

// The view of betting games, Kuhn poker and the other small ones included: a turn is one decision, played at once.
// Discards are confirmed; if cards are decided upon one by one, all of them are one turn.
class BettingView final : public OneDecisionView {
 public:
  // Texts shown on request: the rules, one paragraph per line, and the input help.
  BettingView(std::string rules, std::string how_to_type, Seats seats, const Style& style)
      : OneDecisionView(std::move(seats), style), rules_(std::move(rules)), how_to_type_(std::move(how_to_type)) {}

  std::string picture(const Env& env) const override;
  void begin_turn(const Env& env) override;
  void enter(const Env& env, std::string_view text) override;
  bool at_once() const override { return !discarding_; }
  bool complete() const override;
  std::string missing() const override;
  Decision next_decision(const Env& env) const override;
  bool turn_goes_on(const Env& now) const override;
  std::string question(const Env& env) const override;
  std::vector<std::string> words(const Env& env) const override;
  std::string odds(const Env& env) const override;
  std::string line_of(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override { return rules_; }
  std::string how_to_type() const override { return how_to_type_; }

 private:
  std::string rules_, how_to_type_;
  // The table after the planned decisions.
  std::unique_ptr<Env> after_plan(const Env& env) const;
  TableMarks marks(const Env& env) const;
  // "discard Ks 4c", "keep Qh, discard Ks"
  std::string plan_text(const Env& env) const;

  bool discarding_ = false;    // the turn chooses cards
  std::vector<CardId> asked_;  // cards decided upon one by one, in this order; else empty
  // Made at the first hint.
  mutable OddsText odds_;
};

// The current table for that seat: a street may have begun without an event.
BettingTable table_of(const Env& env, Seat seat);

// Cards in the seat's hand or in front of it, in the order in which they are shown and numbered from 1.
std::vector<CardId> cards_in_order(const Env& env, Seat seat);

}  // namespace dealer::terminal
