#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "agents/ofc/endgame.h"
#include "agents/ofc/model_play.h"

namespace dealer::ofc {

// A placement of a turn and what it is worth.
struct ValuedPlacement {
  Placement placement;
  float value;  // as TurnValues::totals()
};

// What placements of a turn are worth: by a model, and in the endgame by the cards that may still come, where that is
// asked for. One object serves one thread.
class TurnValues {
 public:
  // caution: points taken off in proportion to the predicted chance of a foul.
  TurnValues(const ModelPlay& play, double caution, bool endgame = false);

  // Of placements of the observer's turn, the stakes against all opponents together: what placements are compared by.
  // ModelPlay::others_share() is still to be taken off. Until the next call. Precondition: no Fantasyland hand.
  std::span<const float> totals(const View& view, std::span<const Placement> placements);
  // The best of all placements, the best first and of equal ones the first, at most `most`.
  std::vector<ValuedPlacement> best(const View& view, std::size_t most = kMaxPlacements);

 private:
  AfterstateEvaluator evaluator_;
  const ModelPlay& play_;
  std::optional<Endgame> endgame_;
  std::vector<float> values_;
  std::array<float, kMaxPlacements> by_network_, totals_;
};

}  // namespace dealer::ofc
