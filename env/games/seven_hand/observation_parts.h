#pragma once

#include <string>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

inline constexpr int kStock = kCards - kSeats * kOpening;
// Hands are counted in an observation in units of so many, up to a number that nobody ever reaches.
inline constexpr int kHandsScale = 1024;
inline constexpr int kMostHands = 1 << 20;

// Where the parts of an observation begin.
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

// Throws UsageError: the numbers are no observation.
[[noreturn]] void refuse_observation(const std::string& what);
// A count written down as a share of `scale`. Throws UsageError when the share is not within [low, high].
int count_of(float share, int scale, float low = 0, float high = 1);

}  // namespace dealer::seven_hand
