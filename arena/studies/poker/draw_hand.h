#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "env/core/event.h"
#include "env/games/poker/rules.h"

namespace dealer::studies::poker {

using dealer::poker::Chips;
using dealer::poker::kDrawHand;
using dealer::poker::kMaxDraws;
using dealer::poker::kMaxSeats;

// Five cards, sorted by number.
using Five = std::array<CardId, kDrawHand>;

// A decision about chips.
struct Act {
  enum Kind { kFold, kCheck, kCall, kRaise } kind = kCheck;  // kRaise: any bet or raise
  Seat seat = 0;
  int street = 0;
  Chips amount = 0;     // paid
  Chips paid = 0;       // by the seat in this hand before
  Seat aggressor = -1;  // who made the last bet or raise of the street before it, blinds not counted; -1: nobody
};

// What a seat did in one draw.
struct Draw {
  bool drew = false;    // was still in
  Five held{};          // before
  unsigned thrown = 0;  // bit i: held[i]
  Chips paid = 0;       // by the seat in this hand before
  int count() const { return std::popcount(thrown); }
};

// A hand of a draw game as it was played.
struct Hand {
  int players = 0;
  Seat dealer = 0;
  int streets = 0;                      // that were reached
  std::array<bool, kMaxSeats> in{};     // dealt in
  std::array<Five, kMaxSeats> dealt{};  // of those
  std::array<Five, kMaxSeats> last{};   // the cards at the end, or when the hand was folded
  std::array<std::array<Draw, kMaxDraws>, kMaxSeats> draws{};
  std::vector<Act> acts;                   // in order
  std::array<bool, kMaxSeats> showdown{};  // still in when hands were compared
  std::array<bool, kMaxSeats> folded{};
  std::array<Chips, kMaxSeats> won{};  // from the pots
  std::array<Chips, kMaxSeats> net{};
};

// From the events of a whole hand, as those see it who see every card. Discards are numbered in order, whatever the
// streets.
Hand read_draw_hand(std::span<const Event> events);

}  // namespace dealer::studies::poker
