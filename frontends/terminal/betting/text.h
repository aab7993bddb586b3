#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/style.h"
#include "frontends/terminal/table_view.h"

// Drawing of a betting game, no line wider than the style says. All texts end with a newline.
namespace dealer::terminal {

// Marks drawn on a picture in addition to the events.
struct TableMarks {
  std::vector<CardId> cards;                   // cards of seats.me chosen as discards
  bool numbers = false;                        // 1, 2, 3 ... under the cards of seats.me, from left to right
  std::optional<CardId> asked = std::nullopt;  // card of seats.me to decide upon, with a pointer
};

// The table: street and pots, board, and every seat with its chips, bet, cards and last action; seats.me, if a person
// sits there, at the bottom.
std::string table_text(const BettingTable& table, const Game& game, const Seats& seats, const Style& style,
                       const TableMarks& marks = {});

// The end of a hand, `events` being all of it: the table with the shown hands, the winners of each pot, the net result
// of each player and, with the last hand, the end of the match.
std::string hand_end_text(std::span<const Event> events, const Game& game, const Seats& seats, const Style& style);

// "Flop"; nothing in a game of one street.
std::string street_name(const Game& game, int street);

// The card with its colours for drawing.
CardFace card_face(const Game& game, CardId card);

}  // namespace dealer::terminal
