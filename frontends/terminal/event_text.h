#pragma once

#include <string>
#include <vector>

#include "env/core/event.h"
#include "env/core/game.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// What happened, as `seats.me` saw it, in a line without its end: "rule raises to 40", "you discard 5s 4c". Nothing
// where there is nothing to tell: cards of others that nobody sees, a draw of no cards.
std::string event_text(const Event& event, const Game& game, const Seats& seats, const Style& style);

// The same as one line or more, broken to the style's width; empty where there is nothing to tell.
std::string event_line(const Event& event, const Game& game, const Seats& seats, const Style& style);

// Whether it belongs to the showdown, the pots or the end of a hand or match.
bool of_the_end(const Event& event);

// The current hand, as seen by `viewer`.
std::vector<Event> events_of_hand(const Env& env, Viewer viewer);

// Where the cards of a placing go, rows from front to discard: "Kd Qd front, 6h discard".
std::string places_text(const Event& event, const Game& game);

}  // namespace dealer::terminal
