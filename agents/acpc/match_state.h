#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "env/core/at.h"
#include "env/core/event.h"

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

// Tells a hand of hold'em as the servers of the ACPC do: a state when the cards are dealt, and one after every action,
// with the cards that it brings.
class HandTeller {
 public:
  explicit HandTeller(bool no_limit) : no_limit_(no_limit) {}

  // A new hand, as that seat sees it.
  void begin(Seat viewer, std::uint32_t hand);
  // The events of the hand, in order; states that are complete are added to `told`. The last may still change.
  void take(std::span<const Event> events, std::vector<MatchState>& told);
  // No event follows before the viewer acts, or at all.
  void finish(std::vector<MatchState>& told);

  const MatchState& state() const { return state_; }
  // Chips of the viewer: paid in earlier rounds, and what a call costs.
  Amount paid_before() const { return paid_[at(viewer_)] - bet_[at(viewer_)]; }
  Amount to_call() const;

 private:
  std::size_t position_of(Seat seat) const;
  void take(const Event& event, std::vector<MatchState>& told);
  void act(const Event& event);

  bool no_limit_;
  Seat viewer_ = 0;
  int dealer_ = 0, players_ = 0;
  MatchState state_;
  bool untold_ = false;                     // the state has changed since it was told
  std::array<Amount, kMaxPlayers> paid_{};  // in this hand, by seat
  std::array<Amount, kMaxPlayers> bet_{};   // of that, in this round
};

}  // namespace dealer::acpc
