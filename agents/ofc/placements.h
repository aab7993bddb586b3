#pragma once

#include <array>
#include <span>

#include "env/games/ofc/board.h"

namespace dealer::ofc {

// One way to set all cards of a turn.
struct Placement {
  Board board;       // after the turn
  CardSet discards;  // of this turn
  bool operator==(const Placement&) const = default;
};

// 3^5. The opening has 232, as the front holds only three cards; later turns have at most 27.
inline constexpr int kMaxPlacements = 243;
using PlacementBuffer = std::array<Placement, kMaxPlacements>;

// Writes every way to set the hand on the board with exactly `discards` cards discarded; returns their number. Ordered
// like the action sequences: by the place of the lowest card (front, middle, back, discard), then the next. No
// allocation. Throws UsageError if size(hand) + discards > 5 (a Fantasyland hand: see solve_fantasyland), if discards
// is not a possible number for the hand, or if the board has no room for the rest.
int enumerate_placements(const Board& board, CardSet hand, int discards, std::span<Placement, kMaxPlacements> out);

}  // namespace dealer::ofc
