#pragma once

#include <array>
#include <numeric>

#include "env/cards/deck.h"

namespace dealer {

// A permutation of the cards, for states whose cards are exchanged.
using CardMap = std::array<CardId, kMaxDeckCards>;

// The identity: every card maps to itself.
inline CardMap same_cards() {
  CardMap map;
  std::iota(map.begin(), map.end(), CardId{0});
  return map;
}

// Swaps the images of cards `a` and `b`.
inline void exchange(CardMap& map, CardId a, CardId b) {
  for (CardId& card : map) card = card == a ? b : card == b ? a : card;
}

}  // namespace dealer
