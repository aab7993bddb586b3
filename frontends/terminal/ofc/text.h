#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "env/games/ofc/state.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

// The texts of an Open-Face Chinese table. All end with a newline unless they say "line".
namespace dealer::terminal {

// The line without blanks at its end, and a newline.
std::string as_line(std::string line);

// Three rows of slots, each with what the row makes so far; cards in `marked` are marked as not yet confirmed.
std::string board_text(const ofc::Board& board, const ofc::GameRules& rules, const Style& style, CardSet marked = 0);

// A hand that is over, as `seats.me` sees its end: the boards with their royalties, and how each opponent settled with
// that seat. `points` are what each seat has won.
std::string hand_text(const ofc::View& end, std::span<const std::int64_t> points, const ofc::GameRules& rules,
                      const Seats& seats, const Style& style);

// The rules in force.
std::string rules_text(const ofc::GameRules& rules);

}  // namespace dealer::terminal
