#pragma once

#include <span>

#include "arena/studies/figure.h"
#include "arena/studies/poker/draw_hand.h"
#include "env/cards/card.h"

namespace dealer::studies::draw {

using poker::Five;

inline CardSet set_of(std::span<const CardId> cards) {
  CardSet set = 0;
  for (const CardId card : cards) set |= bit(static_cast<Card>(card));
  return set;
}
// The ranks that occur, one bit each: deuces are bit 0, aces bit 12.
inline unsigned ranks_of(std::span<const CardId> cards) {
  unsigned ranks = 0;
  for (const CardId card : cards) ranks |= 1U << rank_of(static_cast<Card>(card));
  return ranks;
}
// The same with low aces: aces are bit 0, kings bit 12.
inline unsigned low_ranks_of(std::span<const CardId> cards) {
  const unsigned ranks = ranks_of(cards);
  return (ranks << 1 | ranks >> (kRanks - 1)) & ((1U << kRanks) - 1);
}

// The classification of hands in high or low games: the names of the kinds, and
// functions that classify a hand.
struct Kinds {
  // Hands before a draw, by possible discards: high by pairs and draws, low by the number of cards up to an eight
  // without pairs, and by the highest of them.
  std::span<const Named> kinds;
  // The same hands for the betting before the draw, with finer kinds where they matter for opening.
  std::span<const Named> openers;
  std::span<const Named> kept;  // the cards kept from a hand
  // Pat hands: made ones (high: a straight or better; low: a nine or better), thin ones (high: two pair or trips; low:
  // a ten or a jack), and bluffs, anything weaker.
  std::span<const Named> pat_classes;
  std::string_view (*kind_of)(const Five& hand);
  std::string_view (*opener_of)(const Five& hand);
  std::string_view (*kept_of)(std::span<const CardId> cards);
  std::string_view (*pat_class)(const Five& hand);
};
const Kinds& high_kinds();
const Kinds& low_kinds();

}  // namespace dealer::studies::draw
