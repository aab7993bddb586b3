#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "env/games/seven_hand/state.h"

namespace dealer::test {

// Each seat gets its own cards first, in their order, and then others from the lowest to the highest.
inline dealer::seven_hand::State dealt(const dealer::seven_hand::GameRules& rules, std::string_view first,
                                       std::string_view second, Seat dealer = 1) {
  const std::array<std::vector<Card>, dealer::seven_hand::kSeats> own = {parse_cards(first), parse_cards(second)};
  std::array<std::array<Card, dealer::seven_hand::kOwnCards>, dealer::seven_hand::kSeats> deal{};
  CardSet left = kFullDeck & ~to_set(own[0]) & ~to_set(own[1]);
  for (std::size_t seat = 0; seat < own.size(); ++seat)
    for (std::size_t i = 0; i < deal[seat].size(); ++i) {
      deal[seat][i] = i < own[seat].size() ? own[seat][i] : lowest(left);
      if (i >= own[seat].size()) left &= left - 1;
    }
  dealer::seven_hand::State state;
  state.deal(rules, deal, dealer);
  return state;
}

}  // namespace dealer::test
