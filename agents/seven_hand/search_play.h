#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/search/play.h"
#include "agents/seven_hand/decision_history.h"
#include "agents/seven_hand/hidden_layings.h"
#include "agents/seven_hand/open_value.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

// The SearchPlay of 7-Hand Poker: whole turns as choices, playouts by the behaviour prior, states weighted by the
// opponent's layings, and the value of a position when all cards are known. Copies share their tables.
class SearchedPlay {
 public:
  explicit SearchedPlay(const GameRules& rules) : known_(std::make_shared<const Known>(rules)) {}

  // The groups of the hand, bare, with spare cards and two together, in the heuristic agent's order of preference; or
  // every chip that may be named.
  std::vector<Line> lines(const State& root, int most) const;
  void play(State& state, RandomStream& rng) const;
  std::optional<double> estimate(const State& state, Seat me) const {
    return state.naming() ? std::nullopt : std::optional(OpenValue(known_->line, known_->behaviour_prior)(state, me));
  }
  double weigh(State& state, Seat observer, RandomStream& rng) const {
    return lay_by_prior(known_->behaviour_prior, state, 1 - observer, rng).weight;
  }
  double propose(State& state, Seat observer, RandomStream& rng) const {
    const PriorWeight laid = lay_by_prior(known_->behaviour_prior, state, 1 - observer, rng);
    return laid.weight / laid.likely;
  }
  std::vector<ReplayedDecision> decision_history(const State& state, Seat seat) const {
    return seven_hand::decision_history(state, seat);
  }
  bool turn_goes_on(const State& before, const State& after) const {
    return !before.naming() && !after.naming() && before.turns() == after.turns();
  }

 private:
  struct Known {
    explicit Known(const GameRules& rules) : line(rules), behaviour_prior(rules) {}
    LineValues line;
    BehaviourPrior behaviour_prior;
  };
  std::shared_ptr<const Known> known_;
};

SearchMaker make_seven_hand_search(const SearchSetup& setup, const GamePtr& game);

}  // namespace dealer::seven_hand
