#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/search/play.h"
#include "agents/seven_hand/habits.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

// What search knows of 7-Hand Poker.
class SearchedPlay {
 public:
  explicit SearchedPlay(const GameRules& rules)
      : line_(std::make_shared<const LineValues>(rules)), habits_(std::make_shared<const Habits>(rules)) {}

  std::vector<Line> lines(const State& root, int most) const;
  void play(State& state, RandomStream& rng) const;
  std::optional<double> estimate(const State& state, Seat me) const {
    return state.naming() ? std::nullopt : std::optional(habits_->estimate(state, me));
  }
  double weigh(State& state, Seat observer, RandomStream& rng) const {
    return habits_->lay_by_habit(state, 1 - observer, rng);
  }
  bool turn_goes_on(const State& before, const State& after) const {
    return !before.naming() && !after.naming() && before.turns() == after.turns();
  }

 private:
  std::shared_ptr<const LineValues> line_;
  std::shared_ptr<const Habits> habits_;
};

SearchMaker make_seven_hand_search(const SearchSetup& setup, const GamePtr& game);

}  // namespace dealer::seven_hand
