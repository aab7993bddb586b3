#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "env/cards/card.h"
#include "env/core/random.h"

namespace dealer {

// Hands of `hand_size` different cards, in random order, one after the other: hands * hand_size card indices.
inline std::vector<Card> random_hands(std::size_t hands, std::size_t hand_size, std::uint64_t seed,
                                      std::size_t deck_size = kCards) {
  RandomStream random(seed);
  std::vector<Card> deck(deck_size);
  std::iota(deck.begin(), deck.end(), Card{0});
  std::vector<Card> cards;
  cards.reserve(hands * hand_size);
  for (std::size_t hand = 0; hand < hands; ++hand) {
    for (std::size_t i = 0; i < hand_size; ++i) {
      std::swap(deck[i], deck[i + random.below(static_cast<std::uint32_t>(deck_size - i))]);
      cards.push_back(deck[i]);
    }
  }
  return cards;
}

inline CardSet to_set(const Card* cards, std::size_t count) {
  CardSet set = 0;
  for (std::size_t i = 0; i < count; ++i) set |= bit(cards[i]);
  return set;
}

}  // namespace dealer
