#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "env/games/seven_hand/state.h"
#include "frontends/terminal/table_view.h"

// Pictures and words of 7-Hand Poker.
namespace dealer::terminal {

// The seven chips, a line each: what lies there of the observer and of the opponent and since which turn, who has taken
// it, and at which chips three in a row threaten; then what the signs mean, and where an extra card has decided.
std::string line_text(const seven_hand::View& view, const Seats& seats, const Style& style);
// Why the winner of a chip has taken it with a hand of the same name as the loser's: "pair of kings each, an extra card
// decides: Q beats J". Empty where the names differ, and where nobody has taken it.
std::string extra_card_text(const seven_hand::View& view, int chip);
// Who has won a hand that is over, why, and who has which chips. points: of the observer in it.
std::string result_text(const seven_hand::View& view, std::int64_t points, const Seats& seats);
// Cards in hand from high to low with the numbers by which they may be typed. marked: of them, those that are planned.
std::string hand_text(CardSet hand, CardSet marked, const Style& style);
// The same without numbers, in a line.
std::string cards_line(CardSet hand, const Style& style);
// What the rules say, with the options of the game.
std::string rules_text(const seven_hand::GameRules& rules);

// Cards of the hand by name or number, from high to low from 1: "Kd 4c", "2 5". Throws ParseError.
CardSet parse_cards_to_lay(std::string_view text, CardSet hand);
// A chip, 0 to 6: "3", "chip 3". Throws ParseError.
int parse_chip(std::string_view text);

}  // namespace dealer::terminal
