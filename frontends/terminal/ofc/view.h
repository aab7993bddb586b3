#pragma once

#include "frontends/terminal/ofc/plan.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// The view of Pineapple Open-Face Chinese: boards one above the other, the person's own with its plan at the bottom.
class OfcView final : public TableView {
 public:
  // The rules must outlive the view.
  OfcView(const ofc::GameRules& rules, Seats seats, const Style& style)
      : TableView(style), rules_(&rules), seats_(std::move(seats)) {}

  std::string picture(const Env& env) const override;
  void begin_turn(const Env& env) override;
  void enter(const Env& env, std::string_view text) override;
  void adopt(const Env& env, std::span<const Decision> decisions) override;
  bool undo() override { return plan_.undo(); }
  bool complete() const override { return plan_.complete(); }
  std::string missing() const override;
  Decision next_decision(const Env& env) const override;
  bool turn_goes_on(const Env& now) const override;
  std::string describe(const Env& start, std::span<const Decision> decisions) const override;
  std::string line_of(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;

 private:
  // Destinations of the cards of a turn, played from `start`, including those that the game chooses by itself.
  std::vector<std::pair<Card, ofc::Place>> moves(const Env& start, std::span<const Decision> decisions) const;

  const ofc::GameRules* rules_;
  Seats seats_;
  OfcPlan plan_;
};

}  // namespace dealer::terminal
