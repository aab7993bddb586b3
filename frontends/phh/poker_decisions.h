#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/games/poker/game.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {

// The decisions of a hand, and a table on which they can be replayed with the cards that came.
struct HandDecisions {
  std::unique_ptr<Env> table;  // before the first decision; null if the stock was reshuffled in between
  std::vector<Decision> decisions;
  std::vector<int> lines;     // lines of the file, one per decision; -1: added by us to lead on
  std::vector<bool> unknown;  // by seat: its cards are not all known
};

// Converts decisions of players, from `first` on, as long as they are legal and the hand continues.
void add_decisions(const poker::Game& game, const poker::State& first, std::span<const HandAction> decisions,
                   HandDecisions& to);

// Precondition: replay_poker() finds no fault in the hand.
HandDecisions poker_decisions(const poker::Game& game, const HandHistory& hand);

}  // namespace dealer::phh
