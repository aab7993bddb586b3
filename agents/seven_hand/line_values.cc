#include "agents/seven_hand/line_values.h"

#include <algorithm>

namespace dealer::seven_hand {
namespace {

constexpr std::array<std::size_t, kChips> kPlace = {1, 3, 9, 27, 81, 243, 729};

}  // namespace

LineValues::LineValues(const GameRules& rules) {
  for (std::size_t line = 0; line < kLines; ++line) {
    std::array<int, 3> chips{}, run{}, longest{};
    for (std::size_t c = 0; c < kChips; ++c) {
      const std::size_t owner = line / kPlace[c] % 3;
      for (std::size_t side = 1; side <= 2; ++side) {
        run[side] = side == owner || (owner == 0 && rules.ties == Ties::kBoth) ? run[side] + 1 : 0;
        longest[side] = std::max(longest[side], run[side]);
      }
      ++chips[owner];
    }
    const int margin = chips[1] - chips[2];
    const bool three = longest[1] >= kAdjacent, other_three = longest[2] >= kAdjacent;
    const int winner = three != other_three ? (three ? 1 : -1) : three ? 0 : (margin > 0) - (margin < 0);
    worth_[line] = static_cast<std::int8_t>(winner * (rules.margin ? std::max(1, winner * margin) : 1));
  }
}

double LineValues::value(const std::array<double, kChips>& chance, const std::array<bool, kChips>& tied) const {
  // All outcomes of the first chips, with their probabilities; decided chips have one.
  std::array<std::size_t, 1 << kChips> line{};
  std::array<double, 1 << kChips> probability{};
  std::size_t ways = 1;
  probability[0] = 1;
  for (std::size_t c = 0; c < kChips; ++c) {
    if (tied[c]) continue;
    const double p = chance[c];
    if (p > 0 && p < 1) {
      for (std::size_t i = 0; i < ways; ++i) {
        line[ways + i] = line[i] + 2 * kPlace[c];
        probability[ways + i] = probability[i] * (1 - p);
        line[i] += kPlace[c];
        probability[i] *= p;
      }
      ways *= 2;
    } else {
      for (std::size_t i = 0; i < ways; ++i) line[i] += (p > 0 ? 1 : 2) * kPlace[c];
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < ways; ++i) sum += probability[i] * worth_[line[i]];
  return sum;
}

}  // namespace dealer::seven_hand
