#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "env/games/seven_hand/state.h"
#include "frontends/terminal/table_view.h"

// Drawing and texts of 7-Hand Poker.
namespace dealer::terminal {

// The seven chips, a line each: the cards of the observer and the opponent and the turn they were laid, the chip's
// owner, and chips where three in a row threaten; then a legend, and where an extra card has decided.
std::string line_text(const seven_hand::View& view, const Seats& seats, const Style& style);
// The reason why the winner of a chip has taken it with a hand of the same name as the loser's: "pair of kings each, an
// extra card decides: Q beats J". Empty if the names differ, and if the chip is not taken.
std::string extra_card_text(const seven_hand::View& view, int chip);
// The winner of a finished hand, the reason, and the owner of each chip. points: of the observer in it.
std::string result_text(const seven_hand::View& view, std::int64_t points, const Seats& seats);
// Cards in hand from high to low with the numbers for input. marked: the planned ones among them.
std::string hand_text(CardSet hand, CardSet marked, const Style& style);
// The same without numbers, in a line.
std::string cards_line(CardSet hand, const Style& style);
// The rules, with the options of the game.
std::string rules_text(const seven_hand::GameRules& rules);

// Parses cards of the hand by name or number (from 1, high to low): "Kd 4c", "2 5". Throws ParseError.
CardSet parse_cards_to_lay(std::string_view text, CardSet hand);
// Parses a chip, 0 to 6: "3", "chip 3". Throws ParseError.
int parse_chip(std::string_view text);

}  // namespace dealer::terminal
