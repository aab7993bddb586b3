#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "env/games/ofc/state.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

// The texts of an Open-Face Chinese table. All end with a newline unless they say "line".
namespace dealer::terminal {

// Three rows of slots, each with its hand so far; cards in `marked` are shown as not yet confirmed.
std::string board_text(const ofc::Board& board, const ofc::GameRules& rules, const Style& style, CardSet marked = 0);

// The end of a hand as `seats.me` sees it: the boards with their royalties, and each opponent's settlement with that
// seat. `points`: won by each seat.
std::string hand_text(const ofc::View& end, std::span<const std::int64_t> points, const ofc::GameRules& rules,
                      const Seats& seats, const Style& style);

// The rules in force.
std::string rules_text(const ofc::GameRules& rules);

}  // namespace dealer::terminal
