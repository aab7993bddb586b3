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

// A decision in the notation of the Annual Computer Poker Competition: "f", "c" (also a check), "r" (also a bet); in
// no-limit "r" is followed by all that the player has put into the pot over the whole hand.
struct Move {
  char kind = 'c';
  Amount total = 0;  // after "r" in no-limit, else 0
  friend bool operator==(const Move&, const Move&) = default;
};
std::string to_string(const Move& move);
// Reads one move from the front of `text` and takes it away. Throws ParseError.
Move take_move(std::string_view& text);

// A position as seen by one player (ACPC Protocol Specification 2.0.0): the content of a line from a server.
struct MatchState {
  int position = 0;  // of the viewer: 0 is the first to the left of the dealer
  std::uint32_t hand = 0;
  std::vector<std::vector<Move>> rounds{1};  // all rounds that have begun
  std::vector<std::vector<CardId>> hole;     // by position; empty: not seen
  std::vector<std::vector<CardId>> board;    // by round, from the second
  friend bool operator==(const MatchState&, const MatchState&) = default;
};

// "MATCHSTATE:1:37:cc/r:|AhKs/2c8c3h". Throws ParseError on anything else.
MatchState parse_match_state(std::string_view line, const Deck& deck);
std::string to_string(const MatchState& state, const Deck& deck);

// The notation shared with ACPC logs: "cc/r" and "|AhKs/2c8c3h".
std::string betting_text(const MatchState& state);
std::string cards_text(const MatchState& state, const Deck& deck);

// Writes a hand of hold'em as the ACPC servers do: one state when the cards are dealt, and one after every action, with
// the cards that follow it.
class MatchStateWriter {
 public:
  explicit MatchStateWriter(bool no_limit) : no_limit_(no_limit) {}

  // Starts a new hand, as seen by `viewer`.
  void begin(Seat viewer, std::uint32_t hand);
  // Takes events of the hand in order and appends complete states to `states`. The last state may still change.
  void take(std::span<const Event> events, std::vector<MatchState>& states);
  // No event follows before the viewer acts, or no event at all.
  void finish(std::vector<MatchState>& states);

  const MatchState& state() const { return state_; }
  // Chips of the viewer: paid in earlier rounds, and the cost of a call.
  Amount paid_before() const { return paid_[at(viewer_)] - bet_[at(viewer_)]; }
  Amount to_call() const;

 private:
  std::size_t position_of(Seat seat) const;
  void take(const Event& event, std::vector<MatchState>& states);
  void act(const Event& event);

  bool no_limit_;
  Seat viewer_ = 0;
  int dealer_ = 0, players_ = 0;
  MatchState state_;
  bool unsent_ = false;                     // the state has changed since it was last written
  std::array<Amount, kMaxPlayers> paid_{};  // in this hand, by seat
  std::array<Amount, kMaxPlayers> bet_{};   // the part of it paid in this round
};

}  // namespace dealer::acpc
