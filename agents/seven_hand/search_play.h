#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/search/play.h"
#include "agents/seven_hand/behaviour_prior.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

// The decisions of a seat in the hand in progress, in order, each with what it saw: the cards of its turns one by one,
// and the chips it has named. Includes a turn in progress that waits for its chip. Precondition: not over.
std::vector<ReplayedDecision> decision_history(const State& state, Seat seat);

// Importance weights of states by a seat's layings, for players who reason about hidden cards: the probability under
// the behaviour prior (with a small share of uniform play) that the seat would have laid that many cards, and those
// that were turned up. For face-down layings it resamples the cards that the seat would have laid under the prior, of
// the right number: from what it held in that turn, excluding cards turned up later. A uniformly drawn state modified
// this way, with the weight returned, represents the posterior (sequential importance sampling). The chips that the
// seat has named are ignored.
struct PriorWeight {
  double weight = 1;
  double likely = 1;  // probability under the prior that the seat lays all that it has laid now
};
PriorWeight lay_by_prior(const BehaviourPrior& behaviour_prior, State& state, Seat seat, RandomStream& rng);

// The SearchPlay of 7-Hand Poker: whole turns as choices, playouts by the behaviour prior, states weighted by the
// opponent's layings, and the value of a position when all cards are known. Copies share their tables.
class SearchedPlay {
 public:
  explicit SearchedPlay(const GameRules& rules) : known_(std::make_shared<const Known>(rules)) {}

  // The groups of the hand, bare, with spare cards and two together, in the heuristic agent's order of preference; or
  // every chip that may be named.
  std::vector<Line> lines(const State& root, int most) const;
  void play(State& state, RandomStream& rng) const;
  // The value of a position when all cards but the stock are known: every chip has a probability of being taken, by the
  // hands on the table or by what the cards in hand make when they are divided among the remaining turns. nullopt while
  // cards wait for their chip. Precondition: the hand is not over.
  std::optional<double> estimate(const State& state, Seat me) const;
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
