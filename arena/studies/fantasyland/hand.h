#pragma once

#include <array>
#include <cstdint>
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
  Board other;  // the other's board as seen by the player: empty while the other is in Fantasyland
};

// The actions of one player in a hand.
struct Side {
  std::uint8_t fantasyland = 0;      // the cards of its Fantasyland hand; 0: a normal hand
  std::array<Turn, kStreets> turns;  // of a normal hand
  Board board;
  BoardValue value;
  std::uint8_t next = 0;  // the cards of the Fantasyland hand that the board enters, or stays for; 0: none
  double points = 0;
};

// A hand as played, by seat.
struct Hand {
  int number = 0;  // in the episode, from 0
  int dealer = 0;
  std::array<Side, kSides> sides;

  bool over() const { return sides[0].next == 0 && sides[1].next == 0; }
  // The player to the dealer's left acts first.
  int first() const { return 1 - dealer; }
};

// Reads the events of a whole hand of two players, with all cards visible.
Hand read_hand(std::span<const Event> events, const dealer::ofc::Rules& rules);

// The comparison of two boards as they lie: each row is compared in its present state.
enum Standing : int { kBehind, kLevel, kAhead };
std::span<const Named> standings();
// The player that leads in more rows is ahead.
Standing standing_of(const Board& own, const Board& other);

}  // namespace dealer::studies::fantasyland
