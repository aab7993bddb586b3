#pragma once

#include "env/core/env_text.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

inline constexpr int kStock = kCards - kSeats * kOpening;
// Scale of hand counts in an observation, and the largest count, which no game reaches.
inline constexpr int kHandsScale = 1024;
inline constexpr int kMostHands = 1 << 20;
inline constexpr int kMostScaledHands = kMostHands / kHandsScale;

// Offsets of the parts of an observation.
namespace part {
inline constexpr int kHand = 0;
inline constexpr int kPicked = kHand + kCards;
inline constexpr int kDrawn = kPicked + kCards;
inline constexpr int kLaid = kDrawn + kCards;
inline constexpr int kShown = kLaid + kChips * kCards;
inline constexpr int kCount = kShown + kCards;
inline constexpr int kTurnLaid = kCount + kSeats * kChips;
inline constexpr int kWon = kTurnLaid + kSeats * kChips;
inline constexpr int kTied = kWon + kChips;
inline constexpr int kPending = kTied + kChips;
inline constexpr int kTurn = kPending + kMostLaid;
inline constexpr int kStarter = kTurn + kSeats;
inline constexpr int kSeat = kStarter + kSeats;
inline constexpr int kTurns = kSeat + kSeats;
inline constexpr int kHandSize = kTurns + 1;
inline constexpr int kStock = kHandSize + kSeats;
inline constexpr int kHands = kStock + 1;
inline constexpr int kPoints = kHands + 1;
inline constexpr int kSize = kPoints + 1;
}  // namespace part

}  // namespace dealer::seven_hand
