#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"

namespace dealer::acpc {

// A decision as the protocol of the Annual Computer Poker Competition writes it: "f", "c" (also a check), "r" (also a
// bet), in no-limit "r" and all that the player has put into the pot then, over the whole hand.
struct Move {
  char kind = 'c';
  Amount total = 0;  // of "r" in no-limit, else 0
  friend bool operator==(const Move&, const Move&) = default;
};
std::string to_string(const Move& move);
// Reads one move from the front of `text` and takes it away. Throws ParseError.
Move take_move(std::string_view& text);

// A position as one player sees it (ACPC Protocol Specification 2.0.0): what a line of a server says.
struct MatchState {
  int position = 0;  // of the viewer: 0 is the first left of the dealer
  std::uint32_t hand = 0;
  std::vector<std::vector<Move>> rounds{1};  // all that have begun
  std::vector<std::vector<CardId>> hole;     // by position; empty: not seen
  std::vector<std::vector<CardId>> board;    // by round, from the second
  friend bool operator==(const MatchState&, const MatchState&) = default;
};

// "MATCHSTATE:1:37:cc/r:|AhKs/2c8c3h". Throws ParseError on anything else.
MatchState parse_match_state(std::string_view line, const Deck& deck);
std::string to_string(const MatchState& state, const Deck& deck);

// What logs have in common with it: "cc/r" and "|AhKs/2c8c3h".
std::string betting_text(const MatchState& state);
std::string cards_text(const MatchState& state, const Deck& deck);

}  // namespace dealer::acpc
