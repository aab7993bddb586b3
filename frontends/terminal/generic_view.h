#pragma once

#include <optional>

#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// Any game, by the texts it has for itself: a turn is one action, typed by its name.
class GenericView final : public TableView {
 public:
  GenericView(Seats seats, Style style) : seats_(std::move(seats)), style_(style) {}

  std::string picture(const Env& env) const override;
  void begin_turn(const Env& env) override;
  void enter(const Env& env, std::string_view text) override;
  void adopt(const Env& env, std::span<const Action> actions) override;
  bool undo() override;
  bool complete() const override { return planned_.has_value(); }
  std::string missing() const override { return "an action to choose"; }
  Action next_action(const Env& env) const override;
  bool same_turn(const Env& start, const Env& now) const override;
  std::string describe(const Env& start, std::span<const Action> actions) const override;
  std::string seen(const Env& before, const Env& after, Seat who) const override;
  std::string hand_result(const Env& env) const override;
  std::string episode_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;

 private:
  Seats seats_;
  Style style_;
  std::optional<Action> planned_;
};

}  // namespace dealer::terminal
