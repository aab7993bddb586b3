#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

// A betting game drawn for people, no line wider than the style says. All texts end with a newline.
namespace dealer::terminal {

// What goes into a picture besides what has happened.
struct TableMarks {
  std::vector<CardId> cards;                   // of seats.me, that are to be thrown away
  bool numbers = false;                        // 1, 2, 3 ... under the cards of seats.me, from left to right
  std::optional<CardId> asked = std::nullopt;  // of seats.me: the one to decide upon, pointed at
};

// The table: street and pots, board, and every seat with its chips, bet, cards and what it did last; seats.me, where
// somebody sits there, at the bottom.
std::string table_text(const BettingTable& table, const Game& game, const Seats& seats, const Style& style,
                       const TableMarks& marks = {});

// The end of a hand, `events` being all of it: the table with what was shown, who wins which pot, what everybody won or
// lost and, with the last hand, the end of the match.
std::string hand_end_text(std::span<const Event> events, const Game& game, const Seats& seats, const Style& style);

// How many draws there are up to this street; in small games one.
std::size_t draws_until(const Game& game, int street);

// "Flop"; nothing in a game of one street.
std::string street_name(const Game& game, int street);

// How a card of the game is painted.
CardFace card_face(const Game& game, CardId card);

}  // namespace dealer::terminal
