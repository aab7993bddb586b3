#pragma once

#include <array>

#include "env/games/seven_hand/game.h"
#include "tests/support/cards.h"
#include "tests/support/testing.h"

namespace dealer::test {

inline std::shared_ptr<const seven_hand::Game> seven_hand_game(const char* spec = "seven_hand") {
  return game_of<seven_hand::Game>(spec);
}

// Seat 0 begins. Each gets its own cards first, in their order, and then others from the lowest to the highest.
inline seven_hand::State dealt(const seven_hand::GameRules& rules, const char* first, const char* second) {
  const std::array<std::vector<Card>, seven_hand::kSeats> own = {parse_cards(first), parse_cards(second)};
  std::array<std::array<Card, seven_hand::kOwnCards>, seven_hand::kSeats> deal{};
  CardSet left = kFullDeck & ~to_set(own[0]) & ~to_set(own[1]);
  for (std::size_t seat = 0; seat < own.size(); ++seat)
    for (std::size_t i = 0; i < deal[seat].size(); ++i) {
      deal[seat][i] = i < own[seat].size() ? own[seat][i] : lowest(left);
      if (i >= own[seat].size()) left &= left - 1;
    }
  seven_hand::State state;
  state.deal(rules, deal, 1);
  return state;
}

// Lays these cards, and at a chip from 1 to 7 unless the other seat names it.
inline void lay(seven_hand::State& state, CardSet cards, int chip = 0) {
  const int turns = state.turns();
  for_each(cards, [&](Card card) { state.apply_and_hold(card); });
  if (!state.hand_over() && !state.naming() && state.turns() == turns) state.apply_and_hold(seven_hand::kStop);
  if (chip > 0) state.apply_and_hold(seven_hand::kFirstChip + chip - 1);
}

}  // namespace dealer::test
