#pragma once

#include <memory>
#include <vector>

#include "agents/search/play.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

// What search knows of 7-Hand Poker.
class SearchedPlay {
 public:
  explicit SearchedPlay(const GameRules& rules) : line_(std::make_shared<const LineValues>(rules)) {}

  std::vector<Line> lines(const State& root, int most) const;
  Action act(const State& state, RandomStream& rng) const;
  bool turn_goes_on(const State& before, const State& after) const {
    return !before.naming() && !after.naming() && before.turns() == after.turns();
  }

 private:
  std::shared_ptr<const LineValues> line_;
};

SearchMaker make_seven_hand_search(const SearchSetup& setup, const GamePtr& game);

}  // namespace dealer::seven_hand
