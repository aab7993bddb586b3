#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "env/games/poker/rules.h"

namespace dealer::poker {

// A card and the time it came: 0 with the deal; in stud the street, in draw games the number of the draw (from 1).
struct SeenCard {
  CardId card = 0;
  int when = 0;
  friend bool operator==(const SeenCard&, const SeenCard&) = default;
};

// One betting action. Seats are absolute, as everywhere in a view unless stated otherwise.
struct PastAction {
  int round = 0;
  Seat seat = 0;
  Action action = kFold;  // kFold, kCall (or check) or kFirstBet for any bet or raise
  Chips total = 0;        // what a bet or raise goes to, in this round
  friend bool operator==(const PastAction&, const PastAction&) = default;
};

// One seat's view of the hand in progress: everything that a heuristic agent needs.
struct View {
  struct Player {
    bool out = false;  // of the match
    bool folded = false;
    Chips stack = 0;  // chips behind
    Chips bet = 0;    // in this round
    Chips paid = 0;   // in this hand
    // All own cards; for others the up cards and the transparent ones. In draw games sorted.
    std::vector<SeenCard> cards;
    int card_count = 0;
    std::vector<CardId> up;                                  // stud, in the order they came; also among `cards`
    std::array<int, kMaxDraws> drawn{-1, -1, -1};            // -1: not yet
    std::array<std::vector<SeenCard>, kMaxDraws> discarded;  // own, and others' transparent ones
    // At the end: the player was in the showdown and showed, or mucked.
    bool showed = false, mucked = false;
    std::vector<CardId> shown;  // the whole hand that was shown, own included, sorted
    bool live() const { return !out && !folded; }
    bool all_in() const { return live() && stack == 0; }
    friend bool operator==(const Player&, const Player&) = default;
  };
  // A bet or raise offered to the observer as an action.
  struct Raise {
    Action action = kFirstBet;
    Chips total = 0;  // the total bet in this round after it
    friend bool operator==(const Raise&, const Raise&) = default;
  };

  int players = 2;
  Seat me = 0;
  Seat dealer = 0;
  Seat turn = kTerminal;  // kTerminal when the hand is over
  bool drawing = false;   // the seat to act is to discard cards
  int street = 0;
  int round = 0;        // betting round on this street; -1: there is none before the draw
  int hand_number = 0;  // hands finished before this one, counted up to 1024
  std::vector<CardId> board;
  std::vector<std::uint8_t> taken_out;  // replace_random: the suit taken out, by rank
  std::vector<Player> player;           // by absolute seat
  std::vector<PastAction> actions;      // in order
  Chips pot = 0;
  Chips to_call = 0;          // chips that a call costs the observer; 0 when it is not to bet
  std::vector<Raise> raises;  // ascending; none when it is not to bet

  const Player& own() const { return player[static_cast<std::size_t>(me)]; }
  int live_count() const;  // players still in
  friend bool operator==(const View&, const View&) = default;
};

inline int View::live_count() const {
  return static_cast<int>(std::count_if(player.begin(), player.end(), [](const Player& p) { return p.live(); }));
}

}  // namespace dealer::poker
