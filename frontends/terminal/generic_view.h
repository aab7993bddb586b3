#pragma once

#include <optional>

#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// Any game, by the texts it has for itself and its events: a turn is one decision, typed by its text.
class GenericView final : public TableView {
 public:
  GenericView(Seats seats, Style style) : seats_(std::move(seats)), style_(style) {}

  std::string picture(const Env& env) const override;
  void begin_turn(const Env& env) override;
  void enter(const Env& env, std::string_view text) override;
  void adopt(const Env& env, std::span<const Decision> decisions) override;
  bool undo() override;
  bool complete() const override { return planned_.has_value(); }
  bool at_once() const override { return true; }
  std::string question(const Env& env) const override;
  std::vector<std::string> words(const Env& env) const override;
  std::string missing() const override { return "an action to choose"; }
  Decision next_decision(const Env& env) const override;
  bool turn_goes_on(const Env& now) const override;
  std::string describe(const Env& start, std::span<const Decision> decisions) const override;
  std::string told(const Env& env, const Event& event) const override;
  std::string hand_result(const Env& env) const override;
  std::string rules() const override;
  std::string how_to_type() const override;

 private:
  Seats seats_;
  Style style_;
  std::optional<Decision> planned_;
};

}  // namespace dealer::terminal
