#pragma once

#include <string>
#include <string_view>

#include "env/cards/card.h"

// Drawing for people in a terminal.
namespace dealer::terminal {

struct Style {
  bool color = false;    // escape sequences: cards as cards, suits in four colours
  bool symbols = false;  // suits as UTF-8 symbols instead of letters
  int width = 0;         // columns of a line; 0: any
};

// For output to that file descriptor: colours on a terminal, unless NO_COLOR is set (to anything but the empty text) or
// TERM is missing or "dumb"; symbols where there are colours and the locale's variables say UTF-8. Plain otherwise. As
// wide as terminal_width() says.
Style style_for(int descriptor);
// The columns of the terminal as it is now, else what COLUMNS says, else 80; within what tables can be drawn in.
int terminal_width(int descriptor);

// A card of any deck.
struct CardFace {
  std::string text;
  char suit = 0;             // s, h, d or c: painted in its colour, with its symbol
  bool red = false;          // painted so where there is no such suit
  bool transparent = false;  // everybody reads it from its back
};

// One slot of a row of cards, as wide as every other of the style: a card, a card not yet confirmed (marked) or no
// card.
std::string card_slot(Card card, const Style& style, bool marked = false);
std::string empty_slot(const Style& style);
// The columns of a slot.
int slot_width(const Style& style);
// The same for cards of any deck, `letters` being those of its longest text. A card that lies face down is hidden.
std::string card_slot(const CardFace& face, int letters, const Style& style, bool marked = false);
std::string hidden_slot(int letters, const Style& style);
std::string empty_slot(int letters, const Style& style);
int slot_width(int letters, const Style& style);

std::string bold(std::string_view text, const Style& style);
std::string dim(std::string_view text, const Style& style);
std::string warning(std::string_view text, const Style& style);
// "+3", "-2.5", "0" in green, red or neither.
std::string signed_points(double points, const Style& style);

}  // namespace dealer::terminal
