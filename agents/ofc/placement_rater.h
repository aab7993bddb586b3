#pragma once

#include <memory>
#include <vector>

#include "agents/ofc/placements.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {

// A placement of a turn as a player sees it.
struct RatedPlacement {
  Placement placement;
  // Expected points of the episode from here on, less what the player's caution takes off: what hints show, and what
  // placements are chosen by.
  double value = 0;
  // Predicted chances; of a complete board 0 or 1.
  double foul = 0, fantasyland = 0;
};

// Values the placements of a turn. One thread at a time.
class PlacementRater {
 public:
  virtual ~PlacementRater() = default;
  // The best placements of the observer's turn, best first, at most `most`. Precondition: the observer is to act, at
  // the beginning of a turn that is not in Fantasyland.
  virtual std::vector<RatedPlacement> best_placements(const View& view, int most) = 0;
};

// What an AgentFactory of players that value placements is, too.
class RatesPlacements {
 public:
  virtual ~RatesPlacements() = default;
  virtual std::unique_ptr<PlacementRater> make_placement_rater() const = 0;
  // Points that being in Fantasyland counts for these players, against a normal opponent.
  virtual double fantasyland_value() const = 0;
  // Points taken off a certain foul beyond its cost.
  virtual double caution() const = 0;
};

}  // namespace dealer::ofc
