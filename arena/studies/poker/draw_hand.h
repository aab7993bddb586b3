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

// A betting decision.
struct Act {
  enum Kind { kFold, kCheck, kCall, kRaise } kind = kCheck;  // kRaise: any bet or raise
  Seat seat = 0;
  int street = 0;
  Chips amount = 0;     // paid by this decision
  Chips paid = 0;       // by the seat in this hand before
  Seat aggressor = -1;  // who made the last bet or raise of the street before it, blinds not counted; -1: nobody
};

// A seat's action in one draw.
struct Draw {
  bool drew = false;    // was still in
  Five held{};          // before
  unsigned thrown = 0;  // bit i: held[i]
  Chips paid = 0;       // by the seat in this hand before
  int count() const { return std::popcount(thrown); }
};

// A hand of a draw game as played.
struct Hand {
  int players = 0;
  Seat dealer = 0;
  int streets = 0;                      // number of streets reached
  std::array<bool, kMaxSeats> in{};     // dealt in
  std::array<Five, kMaxSeats> dealt{};  // of seats dealt in
  std::array<Five, kMaxSeats> last{};   // the cards at the end, or at the fold
  std::array<std::array<Draw, kMaxDraws>, kMaxSeats> draws{};
  std::vector<Act> acts;                   // in order
  std::array<bool, kMaxSeats> showdown{};  // still in when hands were compared
  std::array<bool, kMaxSeats> folded{};
  std::array<Chips, kMaxSeats> won{};  // from the pots
  std::array<Chips, kMaxSeats> net{};
};

// Reads the events of a whole hand, with all cards visible. Draws are numbered
// consecutively, independent of streets.
Hand read_draw_hand(std::span<const Event> events);

}  // namespace dealer::studies::poker
