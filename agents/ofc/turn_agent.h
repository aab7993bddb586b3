#pragma once

#include <algorithm>
#include <array>

#include "agents/agent.h"
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/placements.h"
#include "env/games/ofc/game.h"
#include "env/games/ofc/rules.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {

// A turn decided as a whole and played card by card, lowest first.
class MacroAction {
 public:
  MacroAction() = default;
  // The observer's target board and total discards after the turn, earlier discards included.
  MacroAction(const Board& board, CardSet discards) : board_(board), discards_(discards) {}

  // True if the plan is for exactly these cards and all cards moved so far went where the plan puts them.
  bool fits(const Board& board, CardSet discards, CardSet hand) const;
  // The same, and the observer is to act.
  bool goes_on(const OwnCards& own) const { return own.to_act && fits(own.board, own.discards, own.hand); }
  // The place of the next card of a hand. Precondition, not checked: the plan fits and a card is left.
  Place next(CardSet hand) const;

  const Board& board() const { return board_; }
  CardSet discards() const { return discards_; }

 private:
  Board board_;
  CardSet discards_ = 0;
};

// A default value of staying in Fantasyland for players that have not learned one: points against all opponents
// together, 0 if the episode ends with the hand.
double usual_stay_value(const GameRules& rules, int opponents);
// The value of Fantasyland with so many cards, 13 to 17, as a multiple of its value with 14.
double relative_fantasyland_value(int cards);

// The number of opponents who are still in the game.
int opponents(const View& view);

// The best setting of the observer's Fantasyland hand: exact, also if some of its cards are already placed (by another
// player) and even if they make a foul unavoidable. Throws UsageError unless it is a Fantasyland hand.
MacroAction plan_fantasyland(const View& view, const FantasylandGoal& goal);

// Decodes the observation of a player to act. Throws UsageError if it is not an observation under the rules or
// if there is no choice to make.
View decode_turn(const GameRules& rules, const Observation& observation);

// The placement of a turn whose board maximises `worth`, the first one on ties.
template <class F>
Placement best_placement(const View& view, const F& worth) {
  PlacementBuffer placements;
  const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
  std::array<double, kMaxPlacements> worths;
  const auto end = std::transform(placements.begin(), placements.begin() + count, worths.begin(),
                                  [&](const Placement& each) { return worth(each.board); });
  return placements[at(std::max_element(worths.begin(), end) - worths.begin())];
}

// A player that sets the cards of a turn as a whole: it chooses once and then plays card by card for as long as the
// observations agree. Fantasyland hands are set by the exact solver.
class TurnAgent : public Agent {
 public:
  // The game must be OFC; it is kept alive.
  explicit TurnAgent(const GamePtr& game);

  void reset(Seat seat, std::uint64_t seed) override;
  // Throws UsageError if the observation is not of this game or the observer is not to act.
  Decision act(const Observation& observation) override;
  // Probability 1 for the chosen action.
  std::optional<std::vector<double>> policy(const Observation& observation) override;

 protected:
  const GameRules& rules() const { return *rules_; }
  View decode(const Observation& observation) const { return decode_turn(*rules_, observation); }
  // The plan for the rest of this turn.
  const MacroAction& plan(const View& view);

 private:
  // The board after a turn outside Fantasyland, and its discards. Called once per turn.
  virtual Placement choose(const View& view) = 0;
  virtual MacroAction choose_fantasyland(const View& view);

  GamePtr game_;
  const GameRules* rules_;
  MacroAction plan_;
};

}  // namespace dealer::ofc
