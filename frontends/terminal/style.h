#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/cards/card.h"

// Style of drawing in a terminal.
namespace dealer::terminal {

struct Style {
  bool color = false;    // escape sequences: cards as cards, suits in four colours
  bool symbols = false;  // suits as UTF-8 symbols instead of letters
  int width = 0;         // columns of a line; 0: any
};

// The style for output to that file descriptor: colours on a terminal, unless NO_COLOR is set (to a nonempty text) or
// TERM is missing or "dumb"; symbols if there are colours and the locale's variables say UTF-8. Plain otherwise. Width
// from terminal_width().
Style style_for(int descriptor);
// The current columns of the terminal, else COLUMNS, else 80; limited to the range in which tables can be drawn.
int terminal_width(int descriptor);

// A card of any deck, for drawing.
struct CardFace {
  std::string text;
  char suit = 0;             // s, h, d or c: painted in its colour, with its symbol
  bool red = false;          // painted red if there is no such suit
  bool transparent = false;  // readable from its back by every player
};

// The order in which cards are shown.
std::vector<Card> high_to_low(CardSet cards);

// One slot of a row of cards; all slots of a style have the same width. marked: a card not yet confirmed.
std::string card_slot(Card card, const Style& style, bool marked = false);
// The same for cards of any deck, `letters` being the length of the longest card text.
std::string card_slot(const CardFace& face, int letters, const Style& style, bool marked = false);
// A face-down card, no card, and the width of a slot in columns.
std::string hidden_slot(const Style& style, int letters = 2);
std::string empty_slot(const Style& style, int letters = 2);
int slot_width(const Style& style, int letters = 2);

std::string bold(std::string_view text, const Style& style);
std::string dim(std::string_view text, const Style& style);
std::string warning(std::string_view text, const Style& style);
// "+3", "-2.5", "0" in green, red or neither.
std::string signed_points(double points, const Style& style);

}  // namespace dealer::terminal
