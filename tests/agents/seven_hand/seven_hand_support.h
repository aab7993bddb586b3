#pragma once

#include "env/games/seven_hand/game.h"
#include "tests/support/cards.h"
#include "tests/support/seven_hand.h"
#include "tests/support/testing.h"

namespace dealer::test {

inline std::shared_ptr<const seven_hand::Game> seven_hand_game(const char* spec = "seven_hand") {
  return game_of<seven_hand::Game>(spec);
}

// Lays these cards, and at a chip from 1 to 7 unless the other seat names it.
inline void lay(seven_hand::State& state, CardSet cards, int chip = 0) {
  const int turns = state.turns();
  for_each(cards, [&](Card card) { state.apply_and_hold(card); });
  if (!state.hand_over() && !state.naming() && state.turns() == turns) state.apply_and_hold(seven_hand::kStop);
  if (chip > 0) state.apply_and_hold(seven_hand::kFirstChip + chip - 1);
}

}  // namespace dealer::test
