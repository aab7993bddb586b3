#pragma once

#include <array>
#include <string>

#include "agents/agent.h"
#include "arena/action_shares.h"
#include "env/core/game.h"

namespace dealer {

// How an agent plays all pairs of hole cards at one decision before the flop of hold'em.
struct PreflopChart {
  struct Cell : ActionShares {
    std::string hand;      // "AA", "AKs", "AKo"
    int combinations = 0;  // of two cards: 6, 4, 12
  };
  bool free = false;     // a call costs nothing: it is a check
  bool sampled = false;  // frequencies are those of decisions it has drawn: it tells no policy
  static constexpr std::size_t kRanks = 13;
  // Aces first. Suited hands lie above the diagonal: cells[row][column], row < column.
  std::array<std::array<Cell, kRanks>, kRanks> cells;
  Cell all;  // of all hands
};

// Whether the game has such a chart: hold'em with the standard deck of 52 cards.
bool has_preflop_chart(const Game& game);

// Of the player to act at the table. Throws UsageError where the table is past the flop, and of an agent that hears
// events.
PreflopChart preflop_chart(const Env& table, Agent& agent);

}  // namespace dealer
