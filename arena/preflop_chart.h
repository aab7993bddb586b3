#pragma once

#include <array>
#include <string>

#include "agents/agent.h"
#include "arena/action_shares.h"
#include "env/core/game.h"

namespace dealer {

// An agent's strategy for all pairs of hole cards at one preflop decision in hold'em.
struct PreflopChart {
  struct Cell : ActionShares {
    std::string hand;      // "AA", "AKs", "AKo"
    int combinations = 0;  // of two cards: 6, 4, 12
  };
  bool free = false;     // calling costs nothing: it is a check
  bool sampled = false;  // frequencies of sampled decisions: the agent has no policy
  static constexpr std::size_t kRanks = 13;
  // Aces first. Suited hands are above the diagonal: cells[row][column], row < column.
  std::array<std::array<Cell, kRanks>, kRanks> cells;
  Cell all;  // over all hands
};

// True if the game supports such a chart: hold'em with the standard deck of 52 cards.
bool has_preflop_chart(const Game& game);

// The chart of the player to act at the table. Throws UsageError if the table is past the flop,
// or if the agent observes events.
PreflopChart preflop_chart(const Env& table, Agent& agent);

}  // namespace dealer
