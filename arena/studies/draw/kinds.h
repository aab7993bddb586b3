#pragma once

#include <span>

#include "arena/studies/figure.h"
#include "arena/studies/poker/draw_hand.h"
#include "env/cards/card.h"

namespace dealer::studies::draw {

using poker::Five;

// How the study tells hands apart where high or low ones are good: names of kinds, and which of them
// a hand is.
struct Kinds {
  // Hands before a draw, by what may be thrown of them: high by pairs and draws, low by how many cards up to an eight
  // there are without pairs, and how high they go.
  std::span<const Named> kinds;
  // The same hands for the betting before the draw: more of them where it matters who opens.
  std::span<const Named> openers;
  std::span<const Named> kept;  // what is kept of a hand
  // Hands that stand pat: made ones (high: a straight or better; low: a nine or better), thin ones (high: two pair or
  // trips; low: a ten or a jack), and bluffs, which are anything weaker.
  std::span<const Named> pat_classes;
  std::string_view (*kind_of)(const Five& hand);
  std::string_view (*opener_of)(const Five& hand);
  std::string_view (*kept_of)(std::span<const CardId> cards);
  std::string_view (*pat_class)(const Five& hand);
};
const Kinds& high_kinds();
const Kinds& low_kinds();

}  // namespace dealer::studies::draw
