#pragma once

#include <span>

#include "arena/studies/draw/kinds.h"
#include "env/cards/card.h"

namespace dealer::studies::draw {

// What kinds.h tells of one side.
struct SideKinds {
  std::span<const Words> kinds, openers, kept, pat_classes;
  int (*kind_of)(const Five& hand);
  int (*opener_of)(const Five& hand);
  int (*kept_of)(std::span<const CardId> cards);
  PatClass (*pat_class)(const Five& hand);
};
const SideKinds& high_kinds();
const SideKinds& low_kinds();

// Bit r: a card of rank r, 0 the deuce; low: 0 the ace.
unsigned ranks_of(std::span<const CardId> cards, Side side);

}  // namespace dealer::studies::draw
