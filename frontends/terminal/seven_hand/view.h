#pragma once

#include <optional>
#include <utility>

#include "env/games/seven_hand/state.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// The view of 7-Hand Poker: the line of chips, one below the other, and the hand. A turn is either all the cards to
// lay, which is confirmed, or a chip to name, which is played at once.
class SevenHandView final : public TableView {
 public:
  // The rules must outlive the view.
  SevenHandView(const seven_hand::GameRules& rules, Seats seats, const Style& style)
      : TableView(style), rules_(&rules), seats_(std::move(seats)) {}

  std::string picture(const Env& env) const override;
  void begin_turn(const Env& env) override;
  void enter(const Env& env, std::string_view text) override;
  void adopt(const Env& env, std::span<const Decision> decisions) override;
  bool undo() override;
  bool complete() const override { return cards_ != 0 || chip_.has_value(); }
  bool at_once() const override { return naming_; }
  std::string missing() const override { return "cards to lay or a chip to name"; }
  Decision next_decision(const Env& env) const override;
  bool turn_goes_on(const Env& now) const override;
  std::string describe(const Env& start, std::span<const Decision> decisions) const override;
  std::string line_of(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;

 private:
  seven_hand::View view_of(const Env& env) const;

  const seven_hand::GameRules* rules_;
  Seats seats_;
  bool naming_ = false;      // the turn names a chip
  CardSet cards_ = 0;        // planned
  std::optional<int> chip_;  // planned
};

}  // namespace dealer::terminal
