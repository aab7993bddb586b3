#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "agents/ofc/endgame.h"
#include "agents/ofc/model_play.h"

namespace dealer::ofc {

// A placement of a turn and its value.
struct ValuedPlacement {
  Placement placement;
  float value;  // as TurnValues::totals()
};

// The values of the placements of a turn: from a model, and in the endgame by enumerating the cards to come, if
// requested. One object serves one thread.
class TurnValues {
 public:
  // caution: points subtracted in proportion to the predicted probability of a foul.
  TurnValues(const ModelPlay& play, double caution, bool endgame = false);

  // The stakes of placements of the observer's turn against all opponents, for comparing placements;
  // ModelPlay::others_share() is not subtracted yet. Valid until the next call. Precondition: not a Fantasyland hand.
  std::span<const float> totals(const View& view, std::span<const Placement> placements);
  // The best placements, best first, in enumeration order on ties, at most `most`.
  std::vector<ValuedPlacement> best(const View& view, std::size_t most = kMaxPlacements);

 private:
  AfterstateEvaluator evaluator_;
  const ModelPlay& play_;
  std::optional<Endgame> endgame_;
  std::vector<float> values_;
  std::array<float, kMaxPlacements> by_network_, totals_;
};

}  // namespace dealer::ofc
