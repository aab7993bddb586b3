#pragma once

#include <string>
#include <vector>

#include "env/core/event.h"
#include "env/core/game.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

// An event as `seats.me` saw it, in a line without its end: "rule raises to 40", "you discard 5s 4c". Empty if there is
// nothing to show: unseen cards of others, a draw of no cards.
std::string event_text(const Event& event, const Game& game, const Seats& seats, const Style& style);

// The same as one line or more, wrapped to the style's width; empty if there is nothing to show.
std::string event_line(const Event& event, const Game& game, const Seats& seats, const Style& style);

// True if it belongs to the showdown, the pots or the end of a hand or match.
bool of_the_end(const Event& event);

// The events of the current hand, as seen by `viewer`.
std::vector<Event> events_of_hand(const Env& env, Viewer viewer);

// Places of a placement's cards, rows from front to discard: "Kd Qd front, 6h discard".
std::string places_text(const Event& event, const Game& game);

}  // namespace dealer::terminal
