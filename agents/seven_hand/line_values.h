#pragma once

#include <array>
#include <cstdint>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// What a line of seven chips is worth to the side whose chances are told, in points: the average over all ways in which
// the chips that are still open may go, each by itself. Where both sides would have three adjacent chips, nobody knows
// who had them first: 0.
class LineValues {
 public:
  explicit LineValues(const GameRules& rules);

  // chance[c]: that the side takes chip c, 0 to 1. Chips with tied[c] are nobody's.
  double value(const std::array<double, kChips>& chance, const std::array<bool, kChips>& tied) const;

 private:
  static constexpr std::size_t kLines = 2187;  // 3 to the power of kChips
  // By owner of each chip in base 3, chip 0 the lowest digit: 0 nobody, 1 the side, 2 the other.
  std::array<std::int8_t, kLines> worth_{};
};

}  // namespace dealer::seven_hand
