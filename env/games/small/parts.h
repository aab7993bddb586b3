#pragma once

#include "env/core/game_state.h"
#include "env/games/small/options.h"

namespace dealer::small {

// What a seat does. Fold is legal only when there is something to call.
enum Move : Action { kFold = 0, kCall = 1, kRaise = 2, kKeep = 3, kDiscard = 4 };
inline constexpr int kMoves = 5;
inline constexpr int kBettingMoves = 3;

// Where the parts of an observation lie; -1: the game has no such part. The cards come first, what follows from the
// course of the betting and drawing alone comes last.
struct Parts {
  int hand = -1, board = -1, discarded = -1, drawn = -1, next = -1, shown = -1;
  int betting = -1, draws = -1, paid = -1, turn = -1, seat = -1;
  int course = 0;  // begin of what is the same whatever the cards
  int size = 0;
  int cards = 0;
  int moves = 0;  // of a betting round, at most

  explicit Parts(const Options& options) : cards(options.cards()), moves(options.raises + 2) {
    const auto add = [this](int& part, int count) {
      part = size;
      size += count;
    };
    add(hand, cards);
    if (options.variant == Variant::kLeduc) add(board, cards);
    if (options.variant == Variant::kDraw) {
      add(discarded, cards);
      add(drawn, cards);
      add(next, cards);
    }
    add(shown, cards);
    course = size;
    add(betting, options.rounds * moves * kBettingMoves);
    if (options.variant == Variant::kDraw) add(draws, kSeats * (options.hand + 1));
    add(paid, kSeats);
    add(turn, kSeats);
    add(seat, kSeats);
  }
};

}  // namespace dealer::small
