#pragma once

#include <string>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/poker_decisions.h"
#include "frontends/phh/standard_replay.h"

namespace dealer::phh {

// A hand of other people at the nearest table of a game of ours, where agents are asked that were trained for it.
struct NearestTable {
  GamePtr game;  // null: no game of ours is near
  HandDecisions decisions;
  std::vector<int> seats;  // by player; -1: not at this table
  // What of the hand is another there, in a word or two each: "stacks", "antes", "blinds", "bring-in", "bets",
  // "players", "house rules".
  std::vector<std::string> brought_near;
};

// Precondition: there is nothing wrong with the hand.
//
// The stakes are those of our game, amounts are told in its big blinds and moved to the nearest legal ones. Hold'em for
// three to six is played at a table for six, whose first seats fold; of more players, and at stud and draw, those who
// fold at once are left out. Decisions end where that table cannot follow the hand any more.
NearestTable nearest_table(const StandardReplay& replay);

}  // namespace dealer::phh
