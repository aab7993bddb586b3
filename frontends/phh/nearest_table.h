#pragma once

#include <string>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/poker_decisions.h"
#include "frontends/phh/standard_replay.h"

namespace dealer::phh {

// A hand of other players converted to the nearest table of one of our games, for analysis by agents trained for it.
struct NearestTable {
  GamePtr game;  // null: none of our games is near
  HandDecisions decisions;
  std::vector<int> seats;  // by player; -1: not at this table
  // Differences from the original hand, in a word or two each: "stacks", "antes", "blinds", "bring-in", "bets",
  // "players", "house rules".
  std::vector<std::string> brought_near;
};

// Precondition: the hand has no faults.
//
// The stakes are those of our game; amounts are converted by the big blind and rounded to legal ones. Hold'em for three
// to six is played at a table for six, whose first seats fold; with more players, and in stud and draw, players who
// fold at once are left out. Decisions end where that table cannot follow the hand any more.
NearestTable nearest_table(const StandardReplay& replay);

}  // namespace dealer::phh
