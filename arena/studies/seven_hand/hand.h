#pragma once

#include <array>
#include <span>

#include "env/core/event.h"
#include "env/games/seven_hand/state.h"

namespace dealer::studies::seven_hand {

using dealer::seven_hand::kChips;
using dealer::seven_hand::kMostLaid;
using dealer::seven_hand::kNobody;
using dealer::seven_hand::kNotYet;
using dealer::seven_hand::kTurns;

// Players by the order of their turns, not by their seats.
enum Role : int { kStarter = 0, kSecond = 1 };
inline constexpr int kRoles = 2;

// The state of each chip: the role that owns it, kNobody or kNotYet.
using Line = std::array<int, kChips>;

// The cards of one turn, and the line when their chip was named.
struct Laying {
  int role = kStarter;  // the role that laid
  int turn = 1;         // of that player, 1 to 7
  CardSet cards = 0;
  int chip = 0;                        // 0 to 6
  unsigned free = 0;                   // bit c: chip c was open to naming
  Line line{};                         // before
  std::array<int, kChips> opposite{};  // face-down cards of the other at each chip, 0: none
  enum Outcome { kUnseen, kLost, kTied, kTaken } outcome = kUnseen;  // kUnseen: the hand was over before a showdown

  int count() const { return size(cards); }
  bool is_free(int c) const { return (free >> c & 1) != 0; }
  // True if the player that named the chip had a choice.
  bool chosen() const { return (free & (free - 1)) != 0; }
};

// A hand as played.
struct Hand {
  std::array<Laying, kRoles * kTurns> layings{};
  int turns = 0;                     // number of layings
  Line line{};                       // at the end
  std::array<int, kChips> second{};  // the role that laid there second, if there was a showdown
  std::array<bool, kChips> showdown{};
  double points = 0;  // won by the starter

  // 1, 0 or, for a draw, one half.
  double win(int role) const;
  double points_of(int role) const { return role == kStarter ? points : -points; }
  // The first of three adjacent chips of the same owner; -1 if there are none.
  int three_adjacent() const;
  int chips(int role) const;
};

// Reads the events of a whole hand, with all cards visible.
Hand read_hand(std::span<const Event> events);

}  // namespace dealer::studies::seven_hand
