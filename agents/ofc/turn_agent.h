#pragma once

#include <algorithm>
#include <array>
#include <memory>

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
  // The observer's board and own discards, earlier ones included, as they shall be after the turn.
  MacroAction(const Board& board, CardSet discards) : board_(board), discards_(discards) {}

  // Whether the plan is of these very cards and every card moved so far went where the plan wants it.
  bool fits(const Board& board, CardSet discards, CardSet hand) const;
  // The same, and the observer is to act.
  bool goes_on(const OwnCards& own) const { return own.to_act && fits(own.board, own.discards, own.hand); }
  // Where the next card of a hand goes. The plan must fit and there be one (not checked).
  Place next(CardSet hand) const;

  const Board& board() const { return board_; }
  CardSet discards() const { return discards_; }

 private:
  Board board_;
  CardSet discards_ = 0;
};

// What staying in Fantasyland is worth to players who have learned no value of it: points against all opponents
// together, 0 where the episode ends with the hand.
double usual_stay_value(const GameRules& rules, int opponents);

// The opponents of the observer who are still in the game.
int opponents(const View& view);

// The best setting of the observer's Fantasyland hand: exact, also when some of its cards are placed already (by
// somebody else) and even when they make a foul unavoidable. Throws UsageError when it is no Fantasyland hand.
MacroAction plan_fantasyland(const View& view, const FantasylandGoal& goal);

// What a player sees who is to act. Throws UsageError when it is no observation of the rules or nothing is to be
// chosen.
View decode_turn(const GameRules& rules, const Observation& observation);

// The placement of a turn whose board is worth most, the first of equal ones.
template <class F>
Placement best_placement(const View& view, const F& worth) {
  PlacementBuffer placements;
  const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
  std::array<double, kMaxPlacements> worths;
  const auto end = std::transform(placements.begin(), placements.begin() + count, worths.begin(),
                                  [&](const Placement& each) { return worth(each.board); });
  return placements[at(std::max_element(worths.begin(), end) - worths.begin())];
}

// A player who sets the cards of a turn as a whole: chooses once and then plays card by card, for as long as what it
// sees agrees. Fantasyland hands are set by the exact solver.
class TurnAgent : public Agent {
 public:
  // The game must be OFC; it is kept alive.
  explicit TurnAgent(const GamePtr& game);

  void reset(Seat seat, std::uint64_t seed) override;
  // Throws UsageError when the observation is none of this game or the observer is not to act.
  Decision act(const Observation& observation) override;
  // All on one action.
  std::optional<std::vector<double>> policy(const Observation& observation) override;

 protected:
  const GameRules& rules() const { return *rules_; }
  View decode(const Observation& observation) const { return decode_turn(*rules_, observation); }
  // What is to be done in this turn.
  const MacroAction& plan(const View& view);

 private:
  // The board after a turn that is not in Fantasyland, and its discards. Called once a turn.
  virtual Placement choose(const View& view) = 0;
  virtual MacroAction choose_fantasyland(const View& view);

  GamePtr game_;
  const GameRules* rules_;
  MacroAction plan_;
};

}  // namespace dealer::ofc
