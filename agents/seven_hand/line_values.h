#pragma once

#include <array>
#include <cstdint>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// The value in points of a line of seven chips to the side whose probabilities are given: the mean over all
// outcomes of the open chips, treated as independent. 0 if both sides would have three adjacent chips, since it
// is unknown who had them first.
class LineValues {
 public:
  explicit LineValues(const GameRules& rules);

  // chance[c]: the probability that the side takes chip c, 0 to 1. Chips with tied[c] belong to nobody.
  double value(const std::array<double, kChips>& chance, const std::array<bool, kChips>& tied) const;

 private:
  static constexpr std::size_t kLines = 2187;  // 3 to the power of kChips
  // Indexed by the owner of each chip in base 3, chip 0 the lowest digit: 0 nobody, 1 the side, 2 the other.
  std::array<std::int8_t, kLines> worth_{};
};

}  // namespace dealer::seven_hand
