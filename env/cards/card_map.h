#pragma once

#include <array>
#include <numeric>

#include "env/cards/deck.h"

namespace dealer {

// Which card each card becomes, for states whose cards are exchanged.
using CardMap = std::array<CardId, kMaxDeckCards>;

// Every card becomes itself.
inline CardMap same_cards() {
  CardMap map;
  std::iota(map.begin(), map.end(), CardId{0});
  return map;
}

// What became `a` becomes `b`, and the other way round.
inline void exchange(CardMap& map, CardId a, CardId b) {
  for (CardId& card : map) card = card == a ? b : card == b ? a : card;
}

}  // namespace dealer
