#pragma once

#include <string_view>

#include "env/cards/card.h"
#include "env/core/random.h"

namespace dealer::test {

inline CardSet cards(std::string_view text) { return to_set(parse_cards(text)); }

// So many cards of those.
inline CardSet random_cards(RandomStream& rng, int count, CardSet of = kFullDeck) {
  CardSet cards = 0;
  while (size(cards) < count) cards |= bit(static_cast<Card>(rng.below(kCards))) & of;
  return cards;
}

}  // namespace dealer::test
