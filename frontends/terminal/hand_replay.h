#pragma once

#include <span>
#include <string>

#include "env/core/event.h"
#include "env/core/game.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// A hand that was played, street by street on the table that `dealer play` draws, with all the cards that its events
// tell. seats.me is -1 where nobody of the players is looking. Ends with a newline; no line is wider than the style
// says.
std::string hand_replay_text(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style);

}  // namespace dealer::terminal
