#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/ofc/macro_action.h"
#include "agents/ofc/model_play.h"
#include "agents/search/play.h"

namespace dealer::ofc {

// A placement of a turn and what it is worth.
struct ValuedPlacement {
  Placement placement;
  float value;  // as TurnValues::totals()
};

// What placements of a turn are worth by a model. One object serves one thread.
class TurnValues {
 public:
  // caution: points taken off in proportion to the predicted chance of a foul.
  TurnValues(const ModelPlay& play, double caution)
      : play_(play), evaluator_(play.evaluator(caution)), values_(std::size_t{kMaxPlacements} * (kMaxSeats - 1)) {}

  // Of placements of the observer's turn, the stakes against all opponents together: what placements are compared by.
  // ModelPlay::others_share() is still to be taken off. Until the next call. Precondition: no Fantasyland hand.
  std::span<const float> totals(const View& view, std::span<const Placement> placements);
  // The best of all placements, the best first and of equal ones the first, at most `most`.
  std::vector<ValuedPlacement> best(const View& view, std::size_t most = kMaxPlacements);

 private:
  const ModelPlay& play_;
  AfterstateEvaluator evaluator_;
  std::vector<float> values_;
  std::array<float, kMaxPlacements> totals_;
};

// "front / middle / back  discard X".
std::string to_string(const Placement& placement);
// "  foul 12%, Fantasyland 3%", of probabilities.
std::string chances_text(double foul, double fantasyland);

// The board after the actions of a turn, and what the turn discards. `root`: any state that agrees with what the seat
// to act sees. Throws UsageError when the actions are no whole turn of that seat.
Placement placement_of(State root, std::span<const Action> turn);
// The actions by which a plan is played from a state on, as far as the game asks for them.
Line line_of(const MacroAction& plan, State state);

// What a setting of Fantasyland cards is worth against all opponents together, by what the cards are set for; the best
// setting has the most. A foul loses all rows and the scoop.
double setting_value(const Board& board, const FantasylandGoal& goal, int opponents);

}  // namespace dealer::ofc
