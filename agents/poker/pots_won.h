#pragma once

#include <algorithm>
#include <cstddef>

#include "env/hands/evaluator.h"

namespace dealer::poker {

// 1 for a win, a half for a tie.
inline float beats(HandValue mine, HandValue other) { return mine > other ? 1.0F : mine == other ? 0.5F : 0.0F; }

// What one player wins of a pot with another. Low values are 0 where they do not qualify, as in games without a low.
inline float pot_won(HandValue high, HandValue low, HandValue other_high, HandValue other_low) {
  const float won = beats(high, other_high);
  return (low | other_low) == 0 ? won : (won + beats(low, other_low)) / 2;
}

// The chance to beat so many of `hands` opponents' hands at once, drawn at random, of which `won` were beaten.
inline float beats_several(float won, std::size_t hands, int opponents) {
  float chance = 1;
  for (int i = 0; i < opponents && static_cast<std::size_t>(i) < hands; ++i)
    chance *= std::max(0.0F, won - static_cast<float>(i)) / static_cast<float>(hands - static_cast<std::size_t>(i));
  return chance;
}

}  // namespace dealer::poker
