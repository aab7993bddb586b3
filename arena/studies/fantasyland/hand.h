#pragma once

#include <array>
#include <span>

#include "arena/studies/figure.h"
#include "env/core/event.h"
#include "env/games/ofc/board.h"
#include "env/games/ofc/state.h"

namespace dealer::studies::fantasyland {

using dealer::ofc::Board;
using dealer::ofc::BoardValue;
using dealer::ofc::kStreets;

inline constexpr int kSides = 2;  // players

// A turn of a normal hand.
struct Turn {
  CardSet dealt = 0;
  Board before, after;
  Board other;  // what the player saw of the other's board: nothing while that one is in Fantasyland
};

// What one player did in a hand.
struct Side {
  bool in_fantasyland = false;
  std::array<Turn, kStreets> turns;  // of a normal hand
  Board board;
  BoardValue value;
  bool next = false;  // the board enters Fantasyland, or stays
  double points = 0;
};

// A hand as it was played, by seats.
struct Hand {
  int number = 0;  // in the episode, from 0
  int dealer = 0;
  std::array<Side, kSides> sides;

  bool over() const { return !sides[0].next && !sides[1].next; }
  // The player to the dealer's left acts first.
  int first() const { return 1 - dealer; }
};

// From the events of a whole hand of two players, as those see it who see every card.
Hand read_hand(std::span<const Event> events, const dealer::ofc::Rules& rules);

// How the rows of two boards stand as far as they lie: each row is compared as it is.
enum Standing : int { kBehind, kLevel, kAhead, kStandings };
std::span<const Named> standings();
// The player is ahead who leads in more rows.
Standing standing_of(const Board& own, const Board& other);

}  // namespace dealer::studies::fantasyland
