#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "agents/agent.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

// The candidate with the maximum value, the first one on ties.
template <class T>
class Best {
 public:
  void offer(const T& what, double value) {
    if (value <= value_ + 1e-12) return;
    value_ = value;
    what_ = what;
  }
  const T& what() const { return what_; }

 private:
  T what_{};
  double value_ = -std::numeric_limits<double>::infinity();
};

// The view at the beginning of the turn, with no cards picked.
View turn_begun(View view);

// A deterministic player that decides a turn as a whole and lays its cards one by one.
class WholeTurns : public Agent {
 public:
  explicit WholeTurns(const GamePtr& game);

  void reset(Seat, std::uint64_t) override { planned_for_.reset(); }
  Decision act(const Observation& observation) override;
  // Probability 1 for the chosen action.
  std::optional<std::vector<double>> policy(const Observation& observation) override;

 protected:
  const LineValues& line() const { return line_; }
  View decode(const Observation& observation) const { return State::decode(game_->rules(), observation.data); }

 private:
  // The cards of this turn, 1 to 5 of `hand`. Called once per turn.
  virtual CardSet lay(const View& view, CardSet hand) = 0;
  // The chip, 0 to 6, for the cards that the opponent has laid: one where the opponent has no cards yet.
  virtual int name_chip(const View& view) = 0;

  std::shared_ptr<const Game> game_;
  LineValues line_;
  std::optional<View> planned_for_;  // at the beginning of its turn
  CardSet plan_ = 0;
};

// The chip that maximises the value of the whole line for the observer.
int best_chip(const LineValues& line, const View& view);

}  // namespace dealer::seven_hand
